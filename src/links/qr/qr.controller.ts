import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { NarrowsToTags, RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { ApiId } from '../../platform/http/openapi/api-docs.js'
import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { QrQuery } from './qr.dto.js'
import { QrService } from './qr.service.js'

const binary = { schema: { type: 'string', format: 'binary' } }

@ApiTags('Links')
@Controller('v1/links')
export class QrController {
  constructor(private readonly qrCodes: QrService) {}

  @Get(':id/qr')
  @RequireScope('links:read')
  @NarrowsToTags()
  @ApiOperation({
    operationId: 'getLinkQr',
    summary: 'Get a QR code',
    description:
      'Returns a QR code of the short URL. The URL in the code has the parameter `qr=1`, so that scans are recorded with the source `qr`. The parameter is not forwarded to the destination.',
  })
  @ApiId('lnk', 'link')
  @ApiOkResponse({
    description: 'QR code image.',
    headers: headers('ETag'),
    content: { 'image/svg+xml': binary, 'image/png': binary },
  })
  @ApiResponse({
    status: 304,
    headers: headers('ETag'),
    description: 'The image matches the ETag in `If-None-Match`.',
  })
  async getQrCode(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: QrQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Uint8Array | undefined> {
    const { tag, type, bytes } = await this.qrCodes.render(caller, id, query, ifNoneMatch)
    void reply.headers({ etag: tag, 'cache-control': 'private, max-age=3600' })
    if (bytes) void reply.type(type)
    else void reply.status(304)
    // Fastify would serialize null, and add a type and a length to the 304.
    return bytes ?? undefined
  }
}

import { hash } from 'node:crypto'

import { Controller, Get, Headers, Param, Res } from '@nestjs/common'
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger'
import type { FastifyReply } from 'fastify'

import { RequireScope } from '../../auth/access.js'
import { type Caller, CurrentCaller } from '../../auth/caller.js'
import { ApiId } from '../../platform/http/openapi/api-docs.js'
import { QueryInput } from '../../platform/http/input/input.pipe.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { LinksService } from '../links.service.js'
import type { QrOrder } from './qr-picture.js'
import { QrQuery } from './qr.dto.js'
import { QrThread } from './qr-thread.js'

const types = { svg: 'image/svg+xml', png: 'image/png' } as const
const binary = { schema: { type: 'string', format: 'binary' } }

@ApiTags('Links')
@Controller('v1/links')
export class QrController {
  constructor(
    private readonly links: LinksService,
    private readonly thread: QrThread,
  ) {}

  @Get(':id/qr')
  @RequireScope('links:read')
  @ApiOperation({
    operationId: 'getLinkQr',
    summary: 'Draw the QR code of a link',
    description:
      'It leads to the short link with `?qr=1`: such visits have the source `qr`. That parameter is not passed on.',
  })
  @ApiId('lnk', 'link')
  @ApiOkResponse({
    description: 'The picture.',
    headers: headers('ETag'),
    content: { 'image/svg+xml': binary, 'image/png': binary },
  })
  @ApiResponse({
    status: 304,
    headers: headers('ETag'),
    description: 'The picture is the one that If-None-Match names.',
  })
  async draw(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @QueryInput() query: QrQuery,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Uint8Array | null> {
    const { short_url } = await this.links.get(caller, id)
    const order = orderFor(short_url, query)
    const tag = `"${hash('sha256', JSON.stringify(order), 'base64url').slice(0, 27)}"`
    const isKnown = known?.split(',').some((each) => [tag, '*'].includes(each.trim()))
    const picture = isKnown ? null : await this.thread.draw(order)
    if (picture && 'leastSize' in picture) throw tooSmall(picture.leastSize)
    void reply.headers({ etag: tag, 'cache-control': 'private, max-age=3600' })
    if (!picture) {
      void reply.status(304)
      return null
    }
    void reply.type(types[order.format])
    return picture.bytes
  }
}

function orderFor(shortUrl: string, { format, size, margin, level }: QrQuery): QrOrder {
  return {
    text: `${shortUrl}?qr=1`,
    format: format ?? 'svg',
    size: Number(size ?? 512),
    margin: Number(margin ?? 4),
    level: level ?? 'M',
  }
}

function tooSmall(leastSize: number): Problem {
  const detail = `At this level and margin the picture needs ${leastSize} pixels at least. Write a larger size.`
  return new Problem('invalid_query', {
    detail,
    headers: { 'cache-control': 'no-store' },
    errors: [{ parameter: 'size', code: 'too_small', detail }],
  })
}

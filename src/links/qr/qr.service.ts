import { Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { isKnownTag, tagOf } from '../../platform/http/resource-headers.js'
import { LinksService } from '../links.service.js'
import { qrMark } from '../redirect/compiled-link.js'
import type { QrOrder } from './qr-picture.js'
import type { QrQuery } from './qr.dto.js'
import { QrThread } from './qr-thread.js'

const types = { svg: 'image/svg+xml', png: 'image/png' } as const

interface TaggedPicture {
  tag: string
  type: string
  /** Null when the caller already has this picture. */
  bytes: Uint8Array | null
}

@Injectable()
export class QrService {
  constructor(
    private readonly links: LinksService,
    private readonly thread: QrThread,
  ) {}

  /** The tag is a hash of the order, so a picture that the caller already has is not drawn again. */
  async draw(
    caller: Caller,
    id: string,
    query: QrQuery,
    ifNoneMatch: string | undefined,
  ): Promise<TaggedPicture> {
    const { short_url } = await this.links.get(caller, id)
    const order = orderFor(short_url, query)
    const tag = tagOf(JSON.stringify(order))
    const type = types[order.format]
    if (isKnownTag(ifNoneMatch, tag)) return { tag, type, bytes: null }
    const picture = await this.thread.draw(order)
    if ('leastSize' in picture) throw tooSmall(picture.leastSize)
    return { tag, type, bytes: picture.bytes }
  }
}

function orderFor(shortUrl: string, { format, size, margin, level }: QrQuery): QrOrder {
  return {
    text: `${shortUrl}?${qrMark}`,
    format: format ?? 'svg',
    size: Number(size ?? 512),
    margin: Number(margin ?? 4),
    level: level ?? 'M',
  }
}

function tooSmall(leastSize: number): Problem {
  const detail = `Must be at least ${leastSize} pixels for this level and margin.`
  return new Problem('invalid_query', {
    detail,
    headers: { 'cache-control': 'no-store' },
    errors: [{ parameter: 'size', code: 'too_small', detail }],
  })
}

import { Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { isKnownTag, hashToEntityTag } from '../../platform/http/resource-headers.js'
import { LinksReadingService } from '../reading/links-reading.service.js'
import { qrMark } from '../redirect/compiled-link.js'
import type { QrOptions } from './qr-image.js'
import type { QrQuery } from './qr.dto.js'
import { QrThread } from './qr-thread.js'

const types = { svg: 'image/svg+xml', png: 'image/png' } as const

interface TaggedImage {
  tag: string
  type: string
  /** Null if the caller already has this image. */
  bytes: Uint8Array | null
}

@Injectable()
export class QrService {
  constructor(
    private readonly links: LinksReadingService,
    private readonly thread: QrThread,
  ) {}

  /** The ETag is a hash of the options, so an image that the caller already has is not rendered again. */
  async render(
    caller: Caller,
    id: string,
    query: QrQuery,
    ifNoneMatch: string | undefined,
  ): Promise<TaggedImage> {
    const { short_url } = await this.links.get(caller, id)
    const options = optionsFor(short_url, query)
    const tag = hashToEntityTag(JSON.stringify(options))
    const type = types[options.format]
    if (isKnownTag(ifNoneMatch, tag)) return { tag, type, bytes: null }
    const image = await this.thread.render(options)
    if ('minSize' in image) throw tooSmall(image.minSize)
    return { tag, type, bytes: image.bytes }
  }
}

function optionsFor(shortUrl: string, { format, size, margin, level }: QrQuery): QrOptions {
  return {
    text: `${shortUrl}?${qrMark}`,
    format: format ?? 'svg',
    size: Number(size ?? 512),
    margin: Number(margin ?? 4),
    level: level ?? 'M',
  }
}

function tooSmall(minSize: number): Problem {
  const detail = `Must be at least ${minSize} pixels for this level and margin.`
  return new Problem('invalid_query', {
    detail,
    headers: { 'cache-control': 'no-store' },
    errors: [{ parameter: 'size', code: 'too_small', detail }],
  })
}

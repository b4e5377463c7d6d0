/** Files that are the same for everyone: compressed once, when they are first asked for, and kept by browsers. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify'

import { isKnownTag } from './resource-headers.js'

const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** These levels shrink scripts to a quarter, and no script costs a second of processor time. */
const brotliQuality = 9

export const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
}

/** The best compression that a request accepts; null where it accepts none of them. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | null {
  const accepted = (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((each) => each.trim()))
  const takes = (name: string) =>
    accepted.some(([each, quality]) => each === name && !/^q=0(\.0*)?$/.test(quality ?? ''))
  return encodings.find(takes) ?? null
}

export interface ServedFile {
  path: string
  type: string
  /** Reads the content. It is called once. */
  read: () => string | Buffer
  headers?: Record<string, string>
  /** True if the file's address changes with its content. Browsers then never ask whether the file has changed. */
  isImmutable?: boolean
}

/** A file in each of its encodings. */
class EncodedFile {
  readonly tag: string
  private readonly bodies = new Map<Encoding, Promise<Buffer>>()

  constructor(private readonly body: Buffer) {
    this.tag = hashOf(body)
  }

  encoded(encoding: Encoding | null): Buffer | Promise<Buffer> {
    if (encoding === null) return this.body
    const body = this.bodies.get(encoding) ?? compress[encoding](this.body)
    this.bodies.set(encoding, body)
    return body
  }
}

export function serveFile(fastify: FastifyInstance, file: ServedFile): void {
  let encoded: EncodedFile | null = null
  const config = { access: { kind: 'public' as const } }
  fastify.get(file.path, { config }, async (request, reply) => {
    encoded ??= new EncodedFile(Buffer.from(file.read()))
    const encoding = acceptedEncoding(request)
    // Each encoding is a separate representation, so it needs its own tag.
    const tag = `"${encoded.tag}${encoding ? `-${encoding}` : ''}"`
    void reply.headers({
      'content-type': file.type,
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: tag,
      vary: 'accept-encoding',
      ...file.headers,
    })
    return answer(request, reply, encoded, encoding, tag)
  })
}

/** A short hash that stands for the content. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  file: EncodedFile,
  encoding: Encoding | null,
  tag: string,
): Promise<FastifyReply> {
  if (isKnownTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.send(await file.encoded(encoding))
}

/** Serves static files. Each is compressed once, on the first request, and cached by browsers. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify'

import { isKnownTag } from './resource-headers.js'

const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** Shrinks scripts to a quarter, in less than a second of CPU time each. */
const brotliQuality = 9

export const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
}

export function isCompressible(type: string): boolean {
  return /^(?:text\/|application\/(?:json|yaml)|image\/svg)/.test(type)
}

/** Returns the best encoding that a request accepts, or null if it accepts none. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | null {
  const accepted = (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((each) => each.trim()))
  const accepts = (name: string) =>
    accepted.some(([each, quality]) => each === name && !/^q=0(\.0*)?$/.test(quality ?? ''))
  return encodings.find(accepts) ?? null
}

export interface ServedFile {
  path: string
  type: string
  /** Returns the content. Called once. */
  read: () => string | Buffer
  headers?: Record<string, string>
  /** Whether the path changes with the content. Browsers then never revalidate the file. */
  isImmutable?: boolean
}

/** A file in each of its encodings. */
export class EncodedFile {
  readonly tag: string
  private readonly bodies = new Map<Encoding, Promise<Buffer>>()

  constructor(readonly body: Buffer) {
    this.tag = hashContent(body)
  }

  getEncoded(encoding: Encoding | null): Buffer | Promise<Buffer> {
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
    return sendEncodedFile(request, reply, encoded, file)
  })
}

/** Sends a file in the encoding that the request accepts, or 304 if the browser has it. */
export async function sendEncodedFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: EncodedFile,
  { type, headers, isImmutable }: Pick<ServedFile, 'type' | 'headers' | 'isImmutable'>,
): Promise<FastifyReply> {
  const encoding = isCompressible(type) ? acceptedEncoding(request) : null
  // Each encoding is a separate representation, so it needs its own tag.
  const tag = `"${file.tag}${encoding ? `-${encoding}` : ''}"`
  void reply.headers({
    'content-type': type,
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: tag,
    vary: 'accept-encoding',
    ...headers,
  })
  if (isKnownTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.send(await file.getEncoded(encoding))
}

/** Returns a short hash of the content. */
export function hashContent(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}

/** How files are compressed, and which compression a request accepts. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { FastifyRequest } from 'fastify'

const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** These levels shrink scripts to a quarter, and no script costs a second of processor time. */
const brotliQuality = 9

export const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
}

/** The best one; null where the client takes none of them. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | null {
  const accepted = (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
  const takes = (name: string) =>
    accepted.some(([each, quality]) => each === name && !/^q=0(\.0*)?$/.test(quality ?? ''))
  return encodings.find(takes) ?? null
}

/** Reads a request's body: called only after the guard has let the caller through. */
import type { FastifyRequest } from 'fastify'

import { Problem } from './problem.js'

export const mostBodyBytes = 256 * 1024

const jsonTypes = new Set(['application/json'])
const patchTypes = new Set(['application/json', 'application/merge-patch+json'])

export async function readBody(request: FastifyRequest): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.raw) {
      size += (chunk as Buffer).length
      if (size > mostBodyBytes) break
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    throw new Problem('bad_request', { detail: 'The body ended before it was complete.', cause: error })
  }
  if (size > mostBodyBytes) throw tooLarge()
  return Buffer.concat(chunks, size)
}

export function requireJson(request: FastifyRequest): void {
  const [type = '', ...parameters] = (request.bodyType ?? '').toLowerCase().split(';').map((part) => part.trim())
  const accepted = request.method === 'PATCH' ? patchTypes : jsonTypes
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8).replaceAll('"', '')
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!accepted.has(type) || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') || encoding !== 'identity')
    throw new Problem('unsupported_media_type')
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', { headers: { connection: 'close' } })
}

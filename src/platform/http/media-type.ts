/** The declared type of a body. Bodies are accepted in UTF-8 only, and not compressed. */
import type { FastifyRequest } from 'fastify'

import { Problem } from './problem.js'

/** Which of the accepted types the body has. */
export function requireType<Type extends string>(request: FastifyRequest, types: readonly Type[]): Type {
  const refusal = refusalOfType(request, types)
  if (refusal) throw refusal
  return types.find((type) => type === typeOf(request).type)!
}

/** Says which types are accepted and which one came; null when that one is accepted. */
export function refusalOfType(request: FastifyRequest, types: readonly string[]): Problem | null {
  const { type, charset, encoding } = typeOf(request)
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8'
  if (types.includes(type) && isUtf8 && encoding === 'identity') return null
  const came = [type || 'no Content-Type', charset ?? '', encoding === 'identity' ? '' : encoding]
  return new Problem('unsupported_media_type', {
    detail: `This call takes ${types.join(' or ')}, in UTF-8 and not compressed. It came with ${shown(came)}.`,
  })
}

function typeOf({ headers }: FastifyRequest): {
  type: string
  charset: string | undefined
  encoding: string
} {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  return { type, charset, encoding: headers['content-encoding'] ?? 'identity' }
}

/** Text of a header, without the characters that must not appear in a sentence. */
function shown(words: readonly string[]): string {
  return words
    .filter(Boolean)
    .map((word) => word.slice(0, 64).replace(/[^\w ./+-]/g, '?'))
    .join(', ')
}

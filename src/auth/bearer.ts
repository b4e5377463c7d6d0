/** Reads the Authorization header, which comes once and holds the scheme Bearer and a token, and makes the refusals. */
import type { IncomingMessage } from 'node:http'

import { Problem } from '../platform/http/problem.js'
import { isGivenTwice } from '../platform/http/request.js'
import type { Token } from './token.entity.js'

export const challenge = 'Bearer realm="link-service"'

/** For a token that may do nothing, or nothing any more. */
export function refusal(code: 'invalid_token' | 'token_revoked' | 'token_expired'): Problem {
  return new Problem(code, { headers: { 'www-authenticate': `${challenge}, error="invalid_token"` } })
}

/** Why nobody may call with this token; null where it is good. */
export function refusalOf(token: Token): Problem | null {
  if (token.revokedAt) return refusal('token_revoked')
  if (token.expiresAt && token.expiresAt.getTime() <= Date.now()) return refusal('token_expired')
  return null
}

const name = 'authorization'
const longestHeader = 200
const space = 32
const tab = 9

export function authorizationOf(request: IncomingMessage): string | undefined {
  if (isGivenTwice(request, name)) throw givenTwice()
  return request.headers.authorization
}

export function bearerIn(authorization = ''): string {
  const schemeEnd = authorization.indexOf(' ')
  if (schemeEnd < 0 || authorization.slice(0, schemeEnd).toLowerCase() !== 'bearer')
    throw new Problem('unauthorized', { headers: { 'www-authenticate': challenge } })
  if (authorization.length > longestHeader) throw refusal('invalid_token')
  let start = schemeEnd + 1
  let end = authorization.length
  while (start < end && isBlank(authorization.charCodeAt(start))) start += 1
  while (start < end && isBlank(authorization.charCodeAt(end - 1))) end -= 1
  return authorization.slice(start, end)
}

/** HTTP knows these two blanks only. Other white space of Unicode belongs to the token, which is wrong then. */
function isBlank(char: number): boolean {
  return char === space || char === tab
}

function givenTwice(): Problem {
  const detail = 'Send one Authorization header.'
  return new Problem('invalid_header', {
    errors: [{ header: 'Authorization', code: 'given_twice', detail }],
    headers: { 'www-authenticate': `${challenge}, error="invalid_request"` },
  })
}

import { Problem } from '../platform/http/problem.js'

export const challenge = 'Bearer realm="link-service"'

/** For a token that may do nothing, or nothing any more. */
export function refusal(code: 'invalid_token' | 'token_revoked' | 'token_expired'): Problem {
  return new Problem(code, { headers: { 'www-authenticate': `${challenge}, error="invalid_token"` } })
}

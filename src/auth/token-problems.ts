/** Why a token is refused. */
import { declareProblems } from '../platform/http/problems/problems.js'

export const tokenProblems = declareProblems({
  unauthorized: {
    status: 401,
    title: 'A bearer token is needed',
    cause: 'The request has no Authorization header, or one with another scheme than Bearer.',
    remedy: 'Send the header `Authorization: Bearer <token>` with a token from POST /v1/auth/token.',
  },
  invalid_token: {
    status: 401,
    title: 'This token is not known',
    cause: 'The bearer token is not complete, was altered, or was never given out by this service.',
    remedy: 'Copy the whole token again, from lsk_ to its last character, or create a new one.',
  },
  token_expired: {
    status: 401,
    title: 'This token has expired',
    cause: 'The token was created with an expiry that has passed, or was rotated and its overlap has ended.',
    remedy: 'Create a new token, or use the one that the rotation answered with.',
  },
  token_revoked: {
    status: 401,
    title: 'This token was revoked',
    cause: 'Someone revoked the token, or the token that minted it together with its descendants.',
    remedy: 'Create a new token. If the revocation is a surprise, the audit log says which token did it.',
  },
  insufficient_scope: {
    status: 403,
    title: 'This token may not do that',
    cause: 'The operation needs a scope that the token does not have. A :write scope does not include :read.',
    remedy: 'Use a token that has every scope listed in `required`.',
    members: { required: ['links:write'], granted: ['links:read'] },
  },
  scope_escalation: {
    status: 403,
    title: 'A token cannot give more than it has',
    cause: 'The new token would have a scope that the calling token lacks, or would outlive it.',
    remedy: 'Ask only for scopes of the calling token and for an expiry no later than its own.',
    members: { excess: { scopes: ['tokens:write'] } },
  },
})

/** What the refusals carry beside the standard members, for the document. */
export const refusalMembers = {
  required: texts('The scopes that the operation needs and the token lacks.', ['links:write']),
  granted: texts('The scopes that the token has.', ['links:read']),
  excess: { $ref: '#/components/schemas/ScopeExcess' },
}

export const refusalSchemas = {
  ScopeExcess: {
    type: 'object' as const,
    description: 'What a token was to give and does not have: scopes, or a time.',
    properties: {
      scopes: texts('The scopes that the calling token lacks.', ['tokens:write']),
      expires_at: {
        type: ['string', 'null'] as unknown as string,
        format: 'date-time',
        description: 'The end that was asked for; null for none.',
        example: null,
      },
      latest: {
        type: 'string',
        format: 'date-time',
        description: 'When the calling token ends: the latest time that it can give.',
        example: '2026-03-02T12:00:00.000Z',
      },
    },
  },
}

function texts(description: string, example: string[]) {
  return { type: 'array', items: { type: 'string' }, description, example }
}

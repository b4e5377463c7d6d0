import { requestProblems } from './request-problems.js'
import type { ProblemEntry, ProblemMember } from './request-problems.js'

/**
 * Declares every problem that the service responds with, by its code. The OpenAPI document and the pages at
 * /errors/:code are generated from these entries.
 */
const table = {
  ...requestProblems,

  // Tokens
  unauthorized: {
    status: 401,
    title: 'A bearer token is required',
    cause: 'The request has no Authorization header, or its scheme is not Bearer.',
    remedy: 'Send the header `Authorization: Bearer <token>` with a token from POST /v1/auth/token.',
  },
  invalid_token: {
    status: 401,
    title: 'This token is unknown',
    cause: 'The bearer token is incomplete or mistyped, or was not created by this service.',
    remedy: 'Copy the whole token again, from lsk_ to its last character, or create a new one.',
  },
  token_expired: {
    status: 401,
    title: 'This token has expired',
    cause: 'The expiry of the token has passed, or the token was rotated and the overlap has ended.',
    remedy: 'Create a new token, or use the token that the rotation returned.',
  },
  token_revoked: {
    status: 401,
    title: 'This token was revoked',
    cause: 'The token was revoked, or the token that created it was revoked with its descendants.',
    remedy: 'Create a new token. If you did not expect this, the audit log shows which token revoked it.',
  },
  insufficient_scope: {
    status: 403,
    title: 'This token is missing a scope',
    cause: 'The operation needs a scope that the token does not have. A :write scope does not include :read.',
    remedy: 'Use a token that has every scope listed in `required`.',
    members: {
      required: list('Scopes that the operation requires and the token does not have.', 'links:write'),
      granted: list('The scopes that the token has.', 'links:read'),
    },
  },
  restricted: {
    status: 403,
    title: 'A restriction of this token forbids the request',
    cause:
      'The token is restricted to other IP addresses, is not valid yet, or is restricted to tags. A token that is restricted to tags cannot use this operation, or would leave the link with none of the tags. A session of a webhook portal is limited to one webhook and to the actions that its link allows.',
    remedy:
      'Use a token without this restriction. `restriction` names it, and GET /v1/auth/token/self returns all restrictions of a token. Behind a proxy, the operator must set TRUST_PROXY. Otherwise, every caller has the IP address of the proxy.',
    members: {
      restriction: {
        type: 'string',
        description: 'Name of the restriction: `allowed_ips`, `not_before`, `tags` or `portal`.',
        example: 'allowed_ips',
      },
    },
  },
  scope_escalation: {
    status: 403,
    title: 'A token cannot grant more than it has',
    cause:
      'The new token would have a scope that the calling token lacks, would expire after the calling token, or would be less restricted.',
    remedy:
      'Request only scopes that the calling token has, an expiry no later than its own, and restrictions at least as strict as its own.',
    members: {
      excess: { $ref: '#/components/schemas/ScopeExcess', example: { scopes: ['tokens:write'] } },
    },
  },

  // Workspaces
  quota_exceeded: {
    status: 403,
    title: 'This workspace has reached its quota',
    cause:
      'The workspace has reached its quota of webhooks, active tokens, live streams, unfinished imports, stored import bytes or unfinished replays.',
    remedy:
      'Delete resources that you no longer need, or wait until running work finishes. The operator can raise the quota with the setting named in `setting`.',
    members: {
      limit: { type: 'integer', description: 'Quota of the workspace.', example: 100 },
      setting: {
        type: 'string',
        description: 'Name of the setting that sets the quota.',
        example: 'WORKSPACE_WEBHOOKS',
      },
    },
  },

  // The dashboard
  no_session: {
    status: 401,
    title: 'A dashboard session is required',
    cause:
      'The session cookie is missing or repeated, or the session has ended, was not used for 12 hours, or is 7 days old.',
    remedy: 'Sign in again at /dashboard. Programs must call the API at its base path with a bearer token.',
  },
  invalid_code: {
    status: 401,
    title: 'This sign-in code is no longer valid',
    cause: 'The code was used, is older than 10 minutes, or was not created by this service.',
    remedy: 'Run `link-service dashboard` on the server to create a new code.',
  },
  cross_site: {
    status: 403,
    title: 'This request does not come from the dashboard',
    cause:
      'A request with a session cookie that changes data must come from a page of this service, and its body cannot have a content type that HTML forms send.',
    remedy:
      'Send the request as JSON from a page of this service. Programs must call the API at its base path with a bearer token.',
  },

  // Links
  conflict: {
    status: 409,
    title: 'The value is taken',
    cause: 'The value must be unique, and another resource uses it, or a deleted resource used it.',
    remedy: 'Choose another value for the field in `field`.',
    members: {
      field: { type: 'string', description: 'Name of the field whose value is taken.', example: 'slug' },
    },
  },
  gone: {
    status: 410,
    title: 'This link is no longer active',
    cause: 'The short link was deleted or disabled, or has expired.',
    remedy: 'Ask the owner of the link for a new one.',
  },

  // Deliveries
  not_redeliverable: {
    status: 409,
    title: 'This delivery cannot be redelivered',
    cause:
      'The delivery was a test, which cannot be redelivered, or its event was deleted after the retention period.',
    remedy:
      'Send another test with POST /v1/webhooks/:id/test. Deliveries of deleted events can only be read.',
  },
  not_skippable: {
    status: 409,
    title: 'This delivery cannot be skipped',
    cause:
      'The delivery has already succeeded, failed or been canceled. Only pending and held deliveries can be skipped.',
    remedy: 'Check the status of the delivery. A completed delivery does not block later ones.',
  },
  secret_unreadable: {
    status: 409,
    title: 'The secret of this webhook cannot be read',
    cause: 'The secret was encrypted with another ENCRYPTION_KEY, so it cannot sign requests.',
    remedy:
      'Set a new secret with PATCH /v1/webhooks/:id or POST /v1/webhooks/:id/secret/rotate, or ask the operator to restore the previous ENCRYPTION_KEY.',
  },
  headers_unreadable: {
    status: 409,
    title: 'The custom headers of this webhook cannot be read',
    cause: 'The headers were encrypted with another ENCRYPTION_KEY, so they cannot be sent.',
    remedy:
      'Set the headers again with PATCH /v1/webhooks/:id, remove them with {"headers": null}, or ask the operator to restore the previous ENCRYPTION_KEY.',
  },

  // Analytics
  range_too_large: {
    status: 422,
    title: 'This query reads too many individual clicks',
    cause:
      'Queries that filter across dimensions or by rare values, or whose range is not aligned to whole hours or days, read individual clicks. The range contains too many of them.',
    remedy: 'Use the range in `fits`, or remove a filter.',
  },
  range_not_kept: {
    status: 422,
    title: 'Individual clicks in this range were deleted',
    cause:
      'Queries that filter across dimensions or by rare values, or whose range is not aligned to whole hours or days, read individual clicks. Some in this range were deleted after the retention period; only their counts are kept.',
    remedy: 'Use the range in `fits` if it is not null, a later range, or fewer filters.',
  },

  // Health
  not_ready: {
    status: 503,
    title: 'The process is not ready',
    cause:
      'The process is shutting down, has not reached the database since it started, or a component that API calls or deliveries require is failing. `parts` contains the state of each component.',
    remedy:
      'Send requests to another process. Run `link-service doctor` to find out how to fix a failing component.',
    members: {
      parts: {
        type: 'object',
        description: 'State of each component: `ok` or `failing`.',
        additionalProperties: { type: 'string' },
        example: { database: 'failing', migrations: 'failing', change_feed: 'failing', queue: 'ok' },
      },
    },
  },
} satisfies Record<string, ProblemEntry>

export type ProblemCode = keyof typeof table

export const problems: Readonly<Record<ProblemCode, ProblemEntry>> = table

function list(description: string, example: string): ProblemMember {
  return { type: 'array', items: { type: 'string' }, description, example: [example] }
}

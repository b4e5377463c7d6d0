/** How many requests a token may make, and all tokens of a workspace: minting tokens does not multiply what it may ask. */
import type { RunningSettings } from '../platform/config/settings.js'
import type { RatePolicy } from '../platform/http/rate-limit.js'
import { tokenOf } from './caller.js'

export function ratePolicies({ rateLimit, workspaceRateLimit }: RunningSettings): RatePolicy[] {
  return [
    {
      name: 'default',
      rate: rateLimit,
      keyOf: (request) => tokenOf(request).id,
      subject: 'This token',
    },
    {
      name: 'workspace',
      rate: workspaceRateLimit,
      keyOf: (request) => tokenOf(request).workspaceId,
      subject: 'All tokens of this workspace together',
    },
  ]
}

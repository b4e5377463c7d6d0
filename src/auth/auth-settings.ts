/** The settings of tokens and of their limits. */
import { flag, mostRequests, oneOf, orOff, rate, secret, wholeNumber } from '../platform/config/rules.js'
import type { Rate } from '../platform/config/rules.js'
import { following, madeSecret, setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const authSettings = {
  keyEnvironment: setting(
    'KEY_ENVIRONMENT',
    oneOf('live', 'test'),
    'live',
    'The middle part of every API token: `lsk_live_…` or `lsk_test_…`.',
  ),
  tokenPepper: madeSecret(
    'TOKEN_PEPPER',
    secret,
    { file: 'token-pepper', ifLost: 'all tokens are unknown' },
    'The server secret under which token hashes are made. Changing it ends every token. Required with `DATABASE_URL`; made in the data folder without it.',
  ),
  printFirstToken: setting(
    'PRINT_FIRST_TOKEN',
    flag,
    'true',
    'Whether the first start creates a token with every scope and prints it to standard output, with a link that signs in to the dashboard. Otherwise it prints how to create a token. The image sets it to `false`, because containers keep their output.',
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    rate,
    '600/1m',
    'How many API calls one token may make in which time, over all replicas; `off` for no limit.',
  ),
  workspaceRateLimit: following(
    'WORKSPACE_RATE_LIMIT',
    rate,
    ({ rateLimit }: { rateLimit: Rate | null }) => tenfold(rateLimit),
    'The same for all tokens of a workspace together; `off` for no limit. Default: ten times `RATE_LIMIT` (`6000/1m`), and off where that is.',
    written,
  ),
  workspaceTokens: setting(
    'WORKSPACE_TOKENS',
    orOff(wholeNumber(1, 999_999_999)),
    '1000',
    'The most active tokens that a workspace may have; `off` for no limit. The command line is not limited.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof authSettings> {}
}

/** The default limit of a workspace follows that of tokens. Otherwise it would cut off what the operator allowed. */
function tenfold(rate: Rate | null): Rate | null {
  return rate && { ...rate, limit: Math.min(10 * rate.limit, mostRequests) }
}

function written(rate: Rate | null): string {
  if (rate === null) return 'off'
  const { limit, windowSeconds } = rate
  return windowSeconds % 60 === 0 ? `${limit}/${windowSeconds / 60}m` : `${limit}/${windowSeconds}s`
}

/** Declares the settings of features, after those of the platform, in the order of the reference page. */
import {
  byteCount,
  days,
  flag,
  headerName,
  maxRequests,
  nameServers,
  networks,
  oneOf,
  onOrOff,
  orOff,
  origin,
  rate,
  schedule,
  secret,
  text,
  time,
  wholeNumber,
} from './platform/config/rules.js'
import type { Rate } from './platform/config/rules.js'
import { appearanceSettings, backupSettings, platformSettings } from './platform/config/platform-settings.js'
import { egressSettings } from './platform/config/egress-settings.js'
import { noticeTargets, noticeTypeList } from './platform/config/notice-setting.js'
import {
  derived,
  generatedSecret,
  optional,
  previousSecret,
  secretSetting,
  setting,
} from './platform/config/setting.js'
import type { Declarations, ValuesOf } from './platform/config/setting.js'

/** Injection token of `RunningSettings`, because an interface cannot be a token. */
export const SETTINGS = Symbol('settings')

/** Text and source of each setting that is set, by name. */
export type WrittenSettings = Readonly<
  Record<string, { text: string; source: 'environment' | 'env_file' | 'file' }>
>

/** The settings from the environment. Secrets that are not set are empty. */
export interface Settings extends ValuesOf<typeof allSettings> {
  written: WrittenSettings
}

/** The settings after the database is open, with its URL and all secrets. */
export interface RunningSettings extends Settings {
  databaseUrl: string
}

const quota = orOff(wholeNumber(1, 999_999_999))

export const allSettings = {
  ...platformSettings,

  // Tokens
  keyEnvironment: setting(
    'KEY_ENVIRONMENT',
    oneOf('live', 'test'),
    'live',
    'Environment in the prefix of API tokens: `lsk_live_…` or `lsk_test_…`.',
  ),
  tokenPepper: generatedSecret(
    'TOKEN_PEPPER',
    secret,
    { file: 'token-pepper', ifLost: 'create new tokens, because all existing ones are invalid' },
    'Secret for the hashes of tokens. To change it, see `docs/how-to/rotate-keys.md`. Required with `DATABASE_URL`. Default: generated in the data folder.',
  ),
  tokenPepperPrevious: previousSecret(
    'TOKEN_PEPPER_PREVIOUS',
    secret,
    'A second `TOKEN_PEPPER` that is accepted during a rotation: the next one before the change, and the old one after it.',
  ),
  printFirstToken: setting(
    'PRINT_FIRST_TOKEN',
    flag,
    'true',
    'Whether the first start creates a token with every scope and prints the token and a sign-in link to standard output. Otherwise the first start prints how to create a token. The container image uses `false`, because container output is stored.',
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    rate,
    '600/1m',
    'Maximum number of API requests of a token in a time window, across all processes. `off` disables the limit.',
  ),
  workspaceRateLimit: derived(
    'WORKSPACE_RATE_LIMIT',
    rate,
    ({ rateLimit }: { rateLimit: Rate | null }) => tenTimes(rateLimit),
    'Rate limit for all tokens of a workspace together. `off` disables the limit. Default: ten times `RATE_LIMIT` (`6000/1m`), or `off` if `RATE_LIMIT` is `off`.',
    formatRate,
  ),
  workspaceTokens: setting(
    'WORKSPACE_TOKENS',
    quota,
    '1000',
    'Maximum number of active tokens per workspace. `off` disables the limit. Does not apply to the command line.',
  ),

  // Links
  shortUrlBase: derived(
    'SHORT_URL_BASE',
    origin,
    ({ publicUrl }: { publicUrl: string }) => publicUrl,
    'Origin of short links. Default: `PUBLIC_URL`.',
  ),
  workspaceImports: setting(
    'WORKSPACE_IMPORTS',
    quota,
    '10',
    'Maximum number of unfinished imports per workspace. `off` disables the limit.',
  ),
  workspaceImportBytes: setting(
    'WORKSPACE_IMPORT_BYTES',
    orOff(byteCount),
    '2GiB',
    'Maximum total size of stored import files per workspace, including finished imports, which are kept for 7 days. `off` disables the limit.',
  ),

  // Clicks
  clickIp: setting(
    'CLICK_IP',
    oneOf('truncate', 'full', 'none'),
    'truncate',
    'How to store the IP address of visitors: `truncate` stores the network (/24 or /48), `full` the whole address, and `none` nothing.',
  ),
  countryHeader: optional(
    'COUNTRY_HEADER',
    headerName,
    "Header in which your proxy sends the visitor's country, such as `cf-ipcountry`.",
  ),
  geoipDb: optional(
    'GEOIP_DB',
    text,
    'Path of a MaxMind country or city database, to look up the country of IP addresses.',
  ),
  clickRetention: setting(
    'CLICK_RETENTION',
    days,
    '400d',
    'Retention of individual clicks, in days or weeks. Click counts are kept.',
  ),
  journalMaxBytes: setting(
    'JOURNAL_MAX_BYTES',
    byteCount,
    '1GiB',
    'Maximum disk space for clicks that are not yet in the database. When it is full, clicks are written to the database before the redirect is sent, and dropped if the database is down.',
  ),
  shutdownGrace: setting(
    'SHUTDOWN_GRACE',
    time('0s', '5m'),
    '10s',
    'How long a shutdown can take to write the remaining clicks to the database after the last redirect.',
  ),
  workspaceLiveStreams: setting(
    'WORKSPACE_LIVE_STREAMS',
    quota,
    '20',
    'Maximum number of concurrent `GET /v1/clicks/live` streams per workspace in each API process. `off` disables the limit.',
  ),

  // Events
  eventRetention: setting(
    'EVENT_RETENTION',
    days,
    '30d',
    'Retention of events, deliveries and attempts, in days or weeks.',
  ),

  // Webhooks
  workspaceWebhooks: setting(
    'WORKSPACE_WEBHOOKS',
    quota,
    '100',
    'Maximum number of webhooks per workspace. `off` disables the limit.',
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    flag,
    'false',
    'Whether webhooks can have `http:` URLs. For development.',
  ),
  webhookAllowedCidrs: optional(
    'WEBHOOK_ALLOWED_CIDRS',
    networks,
    'Private networks that webhooks can reach, such as `127.0.0.0/8,10.1.0.0/16`. Default: none.',
  ),
  webhookCaFile: optional(
    'WEBHOOK_CA_FILE',
    text,
    'Path of a PEM file with additional certificate authorities for webhook receivers.',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    nameServers,
    'DNS servers for the host names of webhook receivers, such as `10.0.0.2,[2001:db8::2]:5353`. Default: the DNS servers of the system.',
  ),
  ...egressSettings,
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    time('1s', '60s'),
    '15s',
    'Timeout of a delivery attempt, from the DNS lookup to the end of the response.',
  ),
  webhookFailingAfter: setting(
    'WEBHOOK_FAILING_AFTER',
    time('1s', '30d'),
    '24h',
    'How long all attempts of a webhook must fail before `webhook.failing` is sent.',
  ),
  webhookDisableAfter: setting(
    'WEBHOOK_DISABLE_AFTER',
    time('1s', '30d'),
    '5d',
    'How long all attempts of a webhook must fail before it is disabled. There must also be at least 20 failures over at least a tenth of this time.',
  ),

  // Notices
  notices: secretSetting(
    optional(
      'NOTICES',
      noticeTargets,
      'Where to send notices about failing webhooks, expiring tokens and other events in all workspaces: a list of `slack:URL`, `discord:URL` and `smtp://user:password@host:587/?from=ADDRESS&to=ADDRESS` (or `smtps://`). The mail server also sends to the addresses that workspaces add. Default: none.',
    ),
  ),
  noticeEvents: setting(
    'NOTICE_EVENTS',
    noticeTypeList,
    'webhook.failing,webhook.disabled,webhook.recovered,token.expiring',
    'Events that are sent to `NOTICES`. Other events: `token.created`, `token.revoked`, `import.finished`.',
  ),
  workspaceNoticeTargets: setting(
    'WORKSPACE_NOTICE_TARGETS',
    quota,
    '10',
    'Maximum number of notice targets per workspace, excluding those in `NOTICES`. `off` disables the limit.',
  ),

  // Deliveries
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    schedule,
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'Delays between the attempts of a delivery, each randomly extended by up to 10%. After the last attempt, the delivery fails.',
  ),
  workspaceReplays: setting(
    'WORKSPACE_REPLAYS',
    quota,
    '20',
    'Maximum number of unfinished replays per workspace. `off` disables the limit.',
  ),

  // Workers
  workerInFlight: setting(
    'WORKER_IN_FLIGHT',
    wholeNumber(1, 10_000),
    '512',
    'Maximum number of concurrent requests of a worker process, not counting requests to slow receivers.',
  ),
  workerBatch: setting(
    'WORKER_BATCH',
    wholeNumber(1, 1000),
    '200',
    'Number of deliveries of a webhook that a worker reads at a time.',
  ),

  ...backupSettings,

  // Dashboard
  dashboard: setting('DASHBOARD', onOrOff, 'on', 'Whether to serve the dashboard at `/dashboard`.'),

  ...appearanceSettings,
} satisfies Declarations

/** Returns the default limit of a workspace, which must not be lower than the limit of a token. */
function tenTimes(rate: Rate | null): Rate | null {
  return rate && { ...rate, limit: Math.min(10 * rate.limit, maxRequests) }
}

function formatRate(rate: Rate | null): string {
  if (rate === null) return 'off'
  const { limit, windowSeconds } = rate
  return windowSeconds % 60 === 0 ? `${limit}/${windowSeconds / 60}m` : `${limit}/${windowSeconds}s`
}

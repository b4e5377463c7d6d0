/** Every setting, in the order of its reference page, and the values that a process runs with. */
import { resolve } from 'node:path'

import {
  basePath,
  byteCount,
  days,
  flag,
  headerName,
  mostRequests,
  nameServers,
  networks,
  oneOf,
  orOff,
  origin,
  origins,
  port,
  postgresUrl,
  proxies,
  rate,
  redisUrl,
  schedule,
  secret,
  text,
  time,
  timeOrNone,
  wholeNumber,
} from './platform/config/rules.js'
import type { Rate } from './platform/config/rules.js'
import { following, madeSecret, optional, secretly, setting, shownAsUsed } from './platform/config/setting.js'
import type { Declarations, ValuesOf } from './platform/config/setting.js'

/** The injection token of `RunningSettings`, which is an interface and leaves no trace at run time. */
export const SETTINGS = Symbol('settings')

/** Where each setting comes from, by its name. Settings that are not set are absent. */
export type WrittenSettings = Readonly<Record<string, { text: string; source: 'environment' | 'env_file' }>>

/** The settings as the environment has them. Secrets that were not given are empty. */
export interface Settings extends ValuesOf<typeof allSettings> {
  written: WrittenSettings
}

/** The settings after the database was opened: its URL and all secrets are known. */
export interface RunningSettings extends Settings {
  databaseUrl: string
}

export const allSettings = {
  // Any service
  port: setting('PORT', port, '3000', 'The port that the service listens on.'),
  host: setting('HOST', text, '127.0.0.1', 'The address that it listens on; 0.0.0.0 for every network.'),
  metricsPort: optional(
    'METRICS_PORT',
    port,
    'A separate port for `/metrics`, `/healthz` and `/readyz`, on the same `HOST`. `PORT` then responds to them with 404. Default: they are served on `PORT`.',
  ),
  basePath: setting('BASE_PATH', basePath, '/api', 'The path before `/v1` in the address of every API call.'),
  publicUrl: following(
    'PUBLIC_URL',
    origin,
    ({ port }: { port: number }) => `http://localhost:${port}`,
    'The origin under which callers reach the service. Default: `http://localhost:` and the port.',
  ),
  role: shownAsUsed(
    setting(
      'ROLE',
      oneOf('all', 'api', 'worker'),
      'all',
      'What this process does: the API, the work behind it, or both.',
    ),
  ),
  dataDir: shownAsUsed(
    setting(
      'DATA_DIR',
      (value) => resolve(value),
      './data',
      'The folder for the embedded database, the secrets made for it, and whatever else must outlive the process.',
    ),
  ),
  databaseUrl: secretly(
    optional(
      'DATABASE_URL',
      postgresUrl,
      'A PostgreSQL (15 or newer) to use. Without it the service runs its own, in the data folder.',
    ),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    wholeNumber(2, 1000),
    '10',
    'Maximum number of PostgreSQL connections that a process uses for API calls and jobs. It opens up to 15 more: for notifications, clicks, the queue, exports and indexes.',
  ),
  databaseDirectUrl: secretly(
    optional(
      'DATABASE_DIRECT_URL',
      postgresUrl,
      'The address of PostgreSQL itself, where `DATABASE_URL` is a pooler in transaction mode, such as PgBouncer. Migrations, the queue, exports and notifications between processes use it. Default: `DATABASE_URL`.',
    ),
  ),
  migrate: setting(
    'MIGRATE',
    flag,
    'false',
    'Whether a start applies pending migrations to the database of `DATABASE_URL`. The embedded one is always migrated.',
  ),
  redisUrl: secretly(
    optional(
      'REDIS_URL',
      redisUrl,
      'A Redis (6.2 or newer, `maxmemory-policy noeviction`) to spread the work with. Without it that is done on PostgreSQL.',
    ),
  ),
  encryptionKey: madeSecret(
    'ENCRYPTION_KEY',
    secret,
    { file: 'encryption-key', ifLost: 'whatever secrets the service keeps for others must be given anew' },
    'The secret under which other secrets, stored answers and cursors are sealed. Changing it makes every stored secret unreadable. Required with `DATABASE_URL`; made in the data folder without it.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxies,
    'off',
    'Whose `X-Forwarded-For` is believed: addresses and networks (`10.0.0.0/8,loopback`), or how many proxies stand in front.',
  ),
  corsOrigins: optional(
    'CORS_ORIGINS',
    origins,
    'The origins whose web pages may call the API, separated by commas. Default: none.',
  ),
  shutdownDelay: setting(
    'SHUTDOWN_DELAY',
    timeOrNone('5m'),
    '0',
    'How long a process keeps serving after `SIGTERM`, while `/readyz` responds 503. Set it behind a load balancer to more than the time of its failed health checks, such as `8s`. A worker does not wait.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least important log line that is written.',
  ),

  // Tokens
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

  // Links
  shortUrlBase: following(
    'SHORT_URL_BASE',
    origin,
    ({ publicUrl }: { publicUrl: string }) => publicUrl,
    'The origin of the short links. Default: `PUBLIC_URL`.',
  ),
  workspaceImports: setting(
    'WORKSPACE_IMPORTS',
    orOff(wholeNumber(1, 999_999_999)),
    '10',
    'The most unfinished imports that a workspace may have; `off` for no limit.',
  ),
  workspaceImportBytes: setting(
    'WORKSPACE_IMPORT_BYTES',
    orOff(byteCount),
    '2GiB',
    "The most space that the stored files of a workspace's imports may take, including those of finished imports, which are kept for 7 days; `off` for no limit.",
  ),

  // Clicks
  clickIp: setting(
    'CLICK_IP',
    oneOf('truncate', 'full', 'none'),
    'truncate',
    "What is kept of a visitor's address: its network (/24 or /48), all of it, or nothing.",
  ),
  countryHeader: optional(
    'COUNTRY_HEADER',
    headerName,
    "The header in which a proxy of yours names the visitor's country, such as `cf-ipcountry`.",
  ),
  geoipDb: optional('GEOIP_DB', text, 'A MaxMind country or city file, to find the country by the address.'),
  clickRetention: setting(
    'CLICK_RETENTION',
    days,
    '400d',
    'How long clicks are kept, in days or weeks. The counts of the links stay.',
  ),
  journalMaxBytes: setting(
    'JOURNAL_MAX_BYTES',
    byteCount,
    '1GiB',
    'Maximum disk space for clicks that are not yet in the database. When it is full, clicks are written to the database before the redirect is answered, and dropped if the database is down.',
  ),
  shutdownGrace: setting(
    'SHUTDOWN_GRACE',
    time('0s', '5m'),
    '10s',
    'How long a shutdown may take to write the remaining clicks to the database, after the last redirect was answered.',
  ),
  workspaceLiveStreams: setting(
    'WORKSPACE_LIVE_STREAMS',
    orOff(wholeNumber(1, 999_999_999)),
    '20',
    'The most streams of `GET /v1/clicks/live` that a workspace may have at a time in each API process; `off` for no limit.',
  ),

  // Events
  eventRetention: setting(
    'EVENT_RETENTION',
    days,
    '30d',
    'How long events, deliveries and attempts are kept, in days or weeks.',
  ),

  // Webhooks
  workspaceWebhooks: setting(
    'WORKSPACE_WEBHOOKS',
    orOff(wholeNumber(1, 999_999_999)),
    '100',
    'The most webhooks that a workspace may have; `off` for no limit.',
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    flag,
    'false',
    'Whether webhooks may have `http:` addresses. For development.',
  ),
  webhookAllowedCidrs: optional(
    'WEBHOOK_ALLOWED_CIDRS',
    networks,
    'Networks that webhooks may reach although they are private, such as `127.0.0.0/8,10.1.0.0/16`. Default: none.',
  ),
  webhookCaFile: optional(
    'WEBHOOK_CA_FILE',
    text,
    'A file with certificates (PEM) that webhook receivers may be signed by, beside the well-known authorities.',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    nameServers,
    'The name servers that look up webhook receivers, such as `10.0.0.2,[2001:db8::2]:5353`. Default: those of the system.',
  ),
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    time('1s', '60s'),
    '15s',
    'How long one attempt may take, from the DNS lookup to the end of the response.',
  ),
  webhookFailingAfter: setting(
    'WEBHOOK_FAILING_AFTER',
    time('1s', '30d'),
    '24h',
    'How long a webhook must go without a success, while attempts fail, for `webhook.failing` to be sent.',
  ),
  webhookDisableAfter: setting(
    'WEBHOOK_DISABLE_AFTER',
    time('1s', '30d'),
    '5d',
    'The same for disabling it. There must also be 20 failures, the first and the last a tenth of this time apart.',
  ),

  // Deliveries
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    schedule,
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'How long after each failed attempt the next one comes, up to a tenth later. After the last the delivery has failed.',
  ),
  workspaceReplays: setting(
    'WORKSPACE_REPLAYS',
    orOff(wholeNumber(1, 999_999_999)),
    '20',
    'The most unfinished replays that a workspace may have; `off` for no limit.',
  ),

  // Workers
  workerInFlight: setting(
    'WORKER_IN_FLIGHT',
    wholeNumber(1, 10_000),
    '512',
    'How many requests one worker process has under way at the same time, not counting those that wait for slow receivers.',
  ),
  workerBatch: setting(
    'WORKER_BATCH',
    wholeNumber(1, 1000),
    '200',
    'How many deliveries of one webhook are read at once.',
  ),

  // Dashboard
  dashboard: setting(
    'DASHBOARD',
    oneOf('on', 'off'),
    'on',
    'Whether the dashboard is served, at `/dashboard`.',
  ),
} satisfies Declarations

/** The default limit of a workspace follows that of tokens. Otherwise it would cut off what the operator allowed. */
function tenfold(rate: Rate | null): Rate | null {
  return rate && { ...rate, limit: Math.min(10 * rate.limit, mostRequests) }
}

function written(rate: Rate | null): string {
  if (rate === null) return 'off'
  const { limit, windowSeconds } = rate
  return windowSeconds % 60 === 0 ? `${limit}/${windowSeconds / 60}m` : `${limit}/${windowSeconds}s`
}

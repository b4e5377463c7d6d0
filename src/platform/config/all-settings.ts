/** Every setting of the service, once. The reference page is made from it, and `env.ts` reads the environment by it. */
import { resolve } from 'node:path'

import {
  basePath,
  byteCount,
  days,
  flag,
  headerName,
  networks,
  oneOf,
  optional,
  origin,
  origins,
  port,
  postgresUrl,
  proxies,
  rate,
  redisUrl,
  schedule,
  secret,
  secretly,
  setting,
  text,
  time,
  wholeNumber,
} from './rules.js'

export const declared = {
  port: setting('PORT', port, '3000', 'The port that the service listens on.'),
  host: setting('HOST', text, '127.0.0.1', 'The address that it listens on; 0.0.0.0 for every network.'),
  basePath: setting('BASE_PATH', basePath, '/api', 'The path before `/v1` in the address of every API call.'),
  publicUrl: optional(
    'PUBLIC_URL',
    origin,
    'The origin under which callers reach the service. Default: `http://localhost:` and the port.',
  ),
  shortUrlBase: optional('SHORT_URL_BASE', origin, 'The origin of the short links. Default: `PUBLIC_URL`.'),
  role: setting(
    'ROLE',
    oneOf('all', 'api', 'worker'),
    'all',
    'What this process does: the API, the work behind it, or both.',
  ),
  dataDir: setting(
    'DATA_DIR',
    (value) => resolve(value),
    './data',
    'The folder for the embedded database, the secrets made for it, and whatever else must outlive the process.',
  ),
  databaseUrl: secretly(
    optional(
      'DATABASE_URL',
      postgresUrl,
      'A PostgreSQL (15 or newer) to use. Without it the service runs its own, in the data folder.',
    ),
  ),
  migrate: setting(
    'MIGRATE',
    flag,
    'false',
    'Whether a start applies pending migrations to the database of `DATABASE_URL`. The embedded one is always migrated.',
  ),
  keyEnvironment: setting(
    'KEY_ENVIRONMENT',
    oneOf('live', 'test'),
    'live',
    'The middle part of every API token: `lsk_live_…` or `lsk_test_…`.',
  ),
  tokenPepper: secretly(
    optional(
      'TOKEN_PEPPER',
      secret,
      'The server secret under which token hashes are made. Changing it ends every token. Required with `DATABASE_URL`; made in the data folder without it.',
    ),
  ),
  encryptionKey: secretly(
    optional(
      'ENCRYPTION_KEY',
      secret,
      'The secret under which webhook secrets, stored answers and cursors are sealed. Changing it makes every webhook secret unreadable. Required with `DATABASE_URL`; made in the data folder without it.',
    ),
  ),
  rateLimit: setting(
    'RATE_LIMIT',
    rate,
    '600/1m',
    'How many API calls one token may make in which time, over all replicas; `off` for no limit.',
  ),
  workspaceRateLimit: optional(
    'WORKSPACE_RATE_LIMIT',
    rate,
    'The same for all tokens of a workspace together; `off` for no limit. Default: ten times `RATE_LIMIT` (`6000/1m`), and off where that is.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxies,
    'off',
    'Whose `X-Forwarded-For` is believed: addresses and networks (`10.0.0.0/8,loopback`), or how many proxies stand in front.',
  ),
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
    'How much of the disk clicks may take that wait for the database; beyond it redirects go on and clicks are dropped.',
  ),
  redisUrl: secretly(
    optional(
      'REDIS_URL',
      redisUrl,
      'A Redis (6.2 or newer, `maxmemory-policy noeviction`) to spread the work with. Without it that is done on PostgreSQL.',
    ),
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
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    time('1s', '60s'),
    '15s',
    'How long one attempt may take, from the look-up of the name to the end of the answer.',
  ),
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    schedule,
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'How long after each failed attempt the next one comes, up to a tenth later. After the last the delivery has failed.',
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
  eventRetention: setting(
    'EVENT_RETENTION',
    days,
    '30d',
    'How long events, deliveries and attempts are kept, in days or weeks.',
  ),
  workerLanes: setting(
    'WORKER_LANES',
    wholeNumber(1, 1000),
    '64',
    'How many jobs one worker process does at the same time. A job looks for what is due to one webhook, or to up to 100 of them.',
  ),
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
  workerSlice: setting(
    'WORKER_SLICE',
    time('1s', '60s'),
    '10s',
    'How long one webhook is served before others that wait get their turn.',
  ),
  dashboard: setting(
    'DASHBOARD',
    oneOf('on', 'off'),
    'on',
    'Whether the dashboard is served, at `/dashboard`.',
  ),
  corsOrigins: optional(
    'CORS_ORIGINS',
    origins,
    'The origins whose web pages may call the API, separated by commas. Default: none.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least important log line that is written.',
  ),
}

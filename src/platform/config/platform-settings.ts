/** The settings of every service on this platform: its address, its stores, its log. */
import { resolve } from 'node:path'

import {
  basePath,
  flag,
  oneOf,
  origin,
  origins,
  port,
  postgresUrl,
  proxies,
  redisUrl,
  secret,
  text,
  timeOrNone,
  wholeNumber,
} from './rules.js'
import { following, madeSecret, optional, secretly, setting, shownAsUsed } from './setting.js'

export const platformSettings = {
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
  jobsAtOnce: setting(
    'WORKER_LANES',
    wholeNumber(1, 1000),
    '64',
    'How many jobs one worker process does at the same time.',
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
}

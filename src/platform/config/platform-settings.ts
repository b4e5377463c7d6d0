/** Declares the settings that any service needs. `src/settings.ts` declares those of features. */
import {
  basePath,
  color,
  flag,
  image,
  line,
  oneOf,
  origin,
  origins,
  path,
  port,
  postgresUrl,
  proxies,
  redisUrl,
  secret,
  text,
  time,
  timeOrNone,
  wholeNumber,
} from './rules.js'
import {
  derived,
  generatedSecret,
  optional,
  previousSecret,
  secretSetting,
  setting,
  shownAsUsed,
} from './setting.js'
import type { Declarations } from './setting.js'

export const roles = ['all', 'api', 'worker'] as const

export const platformSettings = {
  port: setting('PORT', port, '3000', 'Port to listen on.'),
  host: setting(
    'HOST',
    text,
    '127.0.0.1',
    'IP address to listen on. Use `0.0.0.0` for all network interfaces.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    port,
    'Separate port for `/metrics`, `/healthz` and `/readyz`, on the same `HOST`. `PORT` then responds to these paths with 404. Default: `PORT`.',
  ),
  basePath: setting('BASE_PATH', basePath, '/api', 'Path before `/v1` in the URLs of the API.'),
  publicUrl: derived(
    'PUBLIC_URL',
    origin,
    ({ port }: { port: number }) => `http://localhost:${port}`,
    'Origin of the service for API clients and the dashboard. Default: `http://localhost:` and the port.',
  ),
  role: shownAsUsed(
    setting(
      'ROLE',
      oneOf(...roles),
      'all',
      'Role of the process: `api` serves requests, `worker` sends deliveries and runs jobs, and `all` does both.',
    ),
  ),
  dataDir: shownAsUsed(
    setting(
      'DATA_DIR',
      path,
      './data',
      'Folder for the embedded database, generated secrets, and clicks that are not yet in the database.',
    ),
  ),
  databaseUrl: secretSetting(
    optional(
      'DATABASE_URL',
      postgresUrl,
      'URL of a PostgreSQL database (version 15 or newer). Default: an embedded database in the data folder.',
    ),
  ),
  postgresBinDir: optional(
    'POSTGRES_BIN_DIR',
    path,
    'Folder with the programs of a PostgreSQL server (version 17 or newer) for the embedded database, such as `/usr/lib/postgresql/17/bin`. Set it before the first start: a newer major version cannot open the data of an older one. Default: the programs that npm installed.',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    wholeNumber(2, 1000),
    '10',
    'Maximum number of PostgreSQL connections of a process for requests and jobs. Up to 15 more are used for notifications, clicks, the queue, exports and indexes.',
  ),
  databaseDirectUrl: secretSetting(
    optional(
      'DATABASE_DIRECT_URL',
      postgresUrl,
      'URL of PostgreSQL itself, if `DATABASE_URL` is a pooler in transaction mode, such as PgBouncer. Used for migrations, index maintenance, the queue, exports and notifications between processes. Default: `DATABASE_URL`.',
    ),
  ),
  migrate: setting(
    'MIGRATE',
    flag,
    'false',
    'Whether to apply pending migrations at startup to the database in `DATABASE_URL`. The embedded database is always migrated.',
  ),
  redisUrl: secretSetting(
    optional(
      'REDIS_URL',
      redisUrl,
      'URL of a Redis server for the job queue (version 6.2 or newer, with `maxmemory-policy noeviction`). Default: the queue is in PostgreSQL.',
    ),
  ),
  encryptionKey: generatedSecret(
    'ENCRYPTION_KEY',
    secret,
    {
      file: 'encryption-key',
      ifLost: 'rotate the secret of each webhook, set custom headers again, and create notice targets again',
    },
    'Secret that encrypts webhook secrets, custom headers, notice targets and stored responses, and signs cursors. To change it, see `docs/how-to/rotate-keys.md`. Required with `DATABASE_URL`. Default: generated in the data folder.',
  ),
  encryptionKeyPrevious: previousSecret(
    'ENCRYPTION_KEY_PREVIOUS',
    secret,
    'A second `ENCRYPTION_KEY` that is accepted during a rotation: the next one before the change, and the old one after it.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxies,
    'off',
    'Proxies whose `X-Forwarded-For` header is trusted: IP addresses and networks such as `10.0.0.0/8,loopback`, or the number of proxies.',
  ),
  corsOrigins: optional(
    'CORS_ORIGINS',
    origins,
    'Origins whose web pages can call the API, separated by commas. Default: none.',
  ),
  shutdownDelay: setting(
    'SHUTDOWN_DELAY',
    timeOrNone('5m'),
    '0',
    'How long a process continues to serve requests after `SIGTERM`, while `/readyz` responds with 503. Behind a load balancer, set it longer than the load balancer takes to detect a failed health check, such as `8s`. Workers do not wait.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Minimum level of log messages: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  ),
} satisfies Declarations

/** The appearance of the dashboard and of the error pages for visitors. */
export const appearanceSettings = {
  instanceName: setting(
    'INSTANCE_NAME',
    line(40),
    'Link Service',
    'Name of the installation, shown in the dashboard and on error pages for visitors.',
  ),
  instanceLogo: optional(
    'INSTANCE_LOGO',
    image,
    'Logo, shown in the dashboard and on error pages for visitors: the path of an SVG, PNG, JPEG, WebP or GIF file, or a `data:` or `https:` URL. Default: the icon of Link Service.',
  ),
  accent: optional(
    'ACCENT',
    color,
    'Color of buttons and links, such as `#0b5d3b`. To keep text readable, it is darkened in the light color scheme and lightened in the dark one if necessary. Default: blue.',
  ),
  pagesDir: optional(
    'PAGES_DIR',
    text,
    'Folder with your own error pages for visitors: `404.html`, `410.html` and `503.html`. If a file is missing, the built-in page is used.',
  ),
} satisfies Declarations

/** Scheduled backups of the embedded database. */
export const backupSettings = {
  backupDir: optional(
    'BACKUP_DIR',
    text,
    'Folder in which the service regularly creates backups of the embedded database. Use a different disk from `DATA_DIR`. Default: no backups.',
  ),
  backupEvery: setting('BACKUP_EVERY', time('1s', '30d'), '1d', 'Time between backups in `BACKUP_DIR`.'),
  backupKeep: setting(
    'BACKUP_KEEP',
    wholeNumber(1, 1000),
    '7',
    'Number of backups to keep in `BACKUP_DIR`. Older backups of this database are deleted; other files are not.',
  ),
} satisfies Declarations

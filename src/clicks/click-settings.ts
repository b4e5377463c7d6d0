/** The settings of clicks: what is kept of visitors, for how long, and on how much disk. */
import {
  byteCount,
  days,
  headerName,
  oneOf,
  orOff,
  text,
  time,
  wholeNumber,
} from '../platform/config/rules.js'
import { optional, setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const clickSettings = {
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
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof clickSettings> {}
}

/** The settings of events. */
import { days } from '../platform/config/rules.js'
import { setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const eventSettings = {
  eventRetention: setting(
    'EVENT_RETENTION',
    days,
    '30d',
    'How long events, deliveries and attempts are kept, in days or weeks.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof eventSettings> {}
}

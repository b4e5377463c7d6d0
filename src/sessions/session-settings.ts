/** The settings of the dashboard. */
import { oneOf } from '../platform/config/rules.js'
import { setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const sessionSettings = {
  dashboard: setting(
    'DASHBOARD',
    oneOf('on', 'off'),
    'on',
    'Whether the dashboard is served, at `/dashboard`.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof sessionSettings> {}
}

/** The settings of short links. */
import { origin } from '../platform/config/rules.js'
import { following } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const linkSettings = {
  shortUrlBase: following(
    'SHORT_URL_BASE',
    origin,
    ({ publicUrl }: { publicUrl: string }) => publicUrl,
    'The origin of the short links. Default: `PUBLIC_URL`.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof linkSettings> {}
}

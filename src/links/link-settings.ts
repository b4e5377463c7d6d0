/** The settings of short links. */
import { byteCount, origin, orOff, wholeNumber } from '../platform/config/rules.js'
import { following, setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const linkSettings = {
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
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof linkSettings> {}
}

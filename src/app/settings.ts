/** All settings of the service, in the order of their reference page. */
import { authSettings } from '../auth/settings.js'
import { clickSettings } from '../clicks/settings.js'
import { deliverySettings } from '../deliveries/settings.js'
import { dispatchSettings } from '../dispatch/settings.js'
import { eventSettings } from '../events/settings.js'
import { linkSettings } from '../links/settings.js'
import * as env from '../platform/config/env.js'
import { platformSettings } from '../platform/config/platform-settings.js'
import type { DeclarationsOf } from '../platform/config/setting.js'
import type { Settings, SettingValues } from '../platform/config/settings.js'
import { sessionSettings } from '../sessions/settings.js'
import { webhookSettings } from '../webhooks/settings.js'

export const allSettings = {
  ...platformSettings,
  ...authSettings,
  ...linkSettings,
  ...clickSettings,
  ...eventSettings,
  ...webhookSettings,
  ...deliverySettings,
  ...dispatchSettings,
  ...sessionSettings,
} satisfies DeclarationsOf<SettingValues>

export function readSettings(given: env.Environment, file?: env.Environment): Settings {
  return env.readSettings(allSettings, given, file)
}

/** The settings as a start reads them. */
export function readEnvironment(): Settings {
  return readSettings(process.env, env.environmentFile())
}

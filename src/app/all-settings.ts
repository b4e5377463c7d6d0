/** All settings of the service, in the order of their reference page. */
import { authSettings } from '../auth/auth-settings.js'
import { clickSettings } from '../clicks/click-settings.js'
import { deliverySettings } from '../deliveries/delivery-settings.js'
import { dispatchSettings } from '../dispatch/dispatch-settings.js'
import { eventSettings } from '../events/event-settings.js'
import { linkSettings } from '../links/link-settings.js'
import * as env from '../platform/config/env.js'
import { platformSettings } from '../platform/config/platform-settings.js'
import type { DeclarationsOf } from '../platform/config/setting.js'
import type { Settings, SettingValues } from '../platform/config/settings.js'
import { sessionSettings } from '../sessions/session-settings.js'
import { webhookSettings } from '../webhooks/webhook-settings.js'

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

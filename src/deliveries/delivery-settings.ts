/** The settings of deliveries. */
import { orOff, schedule, wholeNumber } from '../platform/config/rules.js'
import { setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const deliverySettings = {
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    schedule,
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'How long after each failed attempt the next one comes, up to a tenth later. After the last the delivery has failed.',
  ),
  workspaceReplays: setting(
    'WORKSPACE_REPLAYS',
    orOff(wholeNumber(1, 999_999_999)),
    '20',
    'The most unfinished replays that a workspace may have; `off` for no limit.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof deliverySettings> {}
}

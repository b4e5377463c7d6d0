/** The settings of workers that send. */
import { time, wholeNumber } from '../platform/config/rules.js'
import { setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const dispatchSettings = {
  workerInFlight: setting(
    'WORKER_IN_FLIGHT',
    wholeNumber(1, 10_000),
    '512',
    'How many requests one worker process has under way at the same time, not counting those that wait for slow receivers.',
  ),
  workerBatch: setting(
    'WORKER_BATCH',
    wholeNumber(1, 1000),
    '200',
    'How many deliveries of one webhook are read at once.',
  ),
  workerSlice: setting(
    'WORKER_SLICE',
    time('1s', '60s'),
    '10s',
    'How long one webhook is served before others that wait get their turn.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof dispatchSettings> {}
}

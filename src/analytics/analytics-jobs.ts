import { declareJobs } from '../platform/queue/jobs.js'
import { dayMs } from '../platform/util/days.js'
import { lookEveryMs } from './limits.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Clicks may wait for the breakdowns. */
    'roll-clicks': Record<string, never>
    /** The breakdowns are compared with what they were made from. */
    'compare-clicks': Record<string, never>
  }
}

const compareEveryMs = dayMs

export const analyticsJobs = declareJobs({
  'roll-clicks': { everyMs: () => lookEveryMs },
  'compare-clicks': { everyMs: () => compareEveryMs },
})

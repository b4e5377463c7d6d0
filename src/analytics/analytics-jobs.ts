import { declareJobs } from '../platform/queue/jobs.js'
import { dayMs } from '../platform/util/days.js'
import { lookEveryMs } from './limits.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Counts waiting clicks. */
    'roll-clicks': Record<string, never>
    /** Compares the counts with the clicks. */
    'compare-clicks': Record<string, never>
  }
}

const compareEveryMs = dayMs

export const analyticsJobs = declareJobs({
  'roll-clicks': { everyMs: () => lookEveryMs },
  'compare-clicks': { everyMs: () => compareEveryMs },
})

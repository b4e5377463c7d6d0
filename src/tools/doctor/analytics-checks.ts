/** Checks whether analytics are up to date and correct. */
import { Comparison } from '../../analytics/comparison.js'
import { lagMayBeMs } from '../../analytics/limits.js'
import { AnalyticsLag } from '../../analytics/rolling/checkpoints.repository.js'
import { fail, ok, warn } from './check.js'
import type { Finding } from './check.js'
import type { RunningDatabase } from './database-checks.js'

export async function analyticsProgress({ source }: RunningDatabase): Promise<Finding> {
  const seconds = await new AnalyticsLag(source).seconds()
  return seconds * 1000 <= lagMayBeMs
    ? ok('The worker counts clicks in time.')
    : warn(
        `The oldest click that is not counted yet is ${Math.round(seconds / 60)} minutes old. Responses stay exact but get slower. Start a worker (ROLE=all or link-service worker), or give the running one more processor time.`,
      )
}

/** Compares all counts with the counters of links and the clicks of a day, which may take minutes. */
export async function analytics(database: RunningDatabase): Promise<Finding> {
  const differences = await new Comparison(database.source).run()
  const [first] = differences
  if (first === undefined) return analyticsProgress(database)
  return fail(
    `The counts disagree with the recorded clicks: ${first}${differences.length > 1 ? ` (and ${differences.length - 1} more)` : ''}. This is a bug of the service; please report it.`,
  )
}

/** Checks whether the figures of analytics can be trusted. */
import { Comparison } from '../../analytics/comparison.js'
import { AnalyticsProgress } from '../../analytics/rolling/rolling-places.repository.js'
import { fail, ok, warn } from './check.js'
import type { Finding } from './check.js'
import type { RunningDatabase } from './database-checks.js'

export async function analyticsProgress({ source }: RunningDatabase): Promise<Finding> {
  const { preparing, prepared } = await new AnalyticsProgress(source).read()
  return preparing === 0
    ? ok('The figures are ready.')
    : warn(
        `The clicks from before the upgrade are being counted: ${Math.floor(prepared * 100)} per cent are done. A worker does it in the background; until then analytics answer 503.`,
      )
}

/** Compares all figures with the counters of links and the clicks of a day, which may take minutes. */
export async function analytics(database: RunningDatabase): Promise<Finding> {
  const { source } = database
  const progress = await analyticsProgress(database)
  if (progress.status !== 'ok') return progress
  const differences = await new Comparison(source).run()
  const [first] = differences
  if (first === undefined) return ok('The figures agree with what was recorded.')
  return fail(
    `The figures disagree with what was recorded: ${first}${differences.length > 1 ? ` (and ${differences.length - 1} more)` : ''}. This is a fault of the service; please report it.`,
  )
}

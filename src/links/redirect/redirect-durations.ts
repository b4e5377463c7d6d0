/** Measures how long redirects take, for the metrics. */
import { DurationHistogram } from '../../platform/util/duration-histogram.js'
import type { RedirectErrorCode } from './visitor-pages.js'

/** A cached link takes less than a millisecond, a lookup in the database several. The cache waits 50 ms for it. */
const boundsInSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

type RedirectResult = 'redirected' | RedirectErrorCode
export type RedirectDurations = Readonly<Record<RedirectResult, DurationHistogram>>

export function createRedirectDurations(): RedirectDurations {
  return {
    redirected: new DurationHistogram(boundsInSeconds),
    not_found: new DurationHistogram(boundsInSeconds),
    gone: new DurationHistogram(boundsInSeconds),
    unavailable: new DurationHistogram(boundsInSeconds),
  }
}

/** Measures the time from a click to its commit, after which the API returns the click. */
import { DurationHistogram } from '../../platform/util/duration-histogram.js'

/** Clicks are usually readable within a second, and after an outage of the database within minutes. */
const boundsInSeconds = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

export function createReadableDurations(): DurationHistogram {
  return new DurationHistogram(boundsInSeconds)
}

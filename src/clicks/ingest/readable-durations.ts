/** Measures the time from a click to its commit, when the API shows it. */
import { DurationHistogram } from '../../platform/util/duration-histogram.js'

/** Clicks are readable within a second. After an outage of the database it takes minutes. */
const boundsInSeconds = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

export function createReadableDurations(): DurationHistogram {
  return new DurationHistogram(boundsInSeconds)
}

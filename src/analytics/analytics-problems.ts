/** Why figures cannot be given. */
import { declareProblems } from '../platform/http/problems/problems.js'

export const analyticsProblems = declareProblems({
  analytics_preparing: {
    status: 503,
    title: 'The figures are not ready yet',
    cause:
      'The service was upgraded, and counts the clicks that it had before. `progress` says how far it is.',
    remedy:
      'Send the request again after the seconds in Retry-After. Clicks are recorded meanwhile, and not lost.',
  },
  range_too_large: {
    status: 422,
    title: 'This would read too many clicks',
    cause:
      'Filters across dimensions, and edges within an hour or a day, are read click by click, and the range has too many of them.',
    remedy: 'Ask for the range in `fits`, or leave out a filter. Nothing is estimated.',
  },
  range_not_kept: {
    status: 422,
    title: 'These clicks are no longer kept one by one',
    cause:
      'Retention has dropped the clicks that a filter across dimensions, or an edge within an hour or a day, would need. Their figures are kept.',
    remedy: 'Ask for the range in `fits`, or leave out a filter.',
  },
})

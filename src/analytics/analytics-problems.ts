import { declareProblems } from '../platform/http/problems/problems.js'

export const analyticsProblems = declareProblems({
  range_too_large: {
    status: 422,
    title: 'This query needs too many single clicks',
    cause:
      'Filters across dimensions, filters by rare values, and ranges that begin or end within an hour or a day are counted click by click. The range has too many clicks for that.',
    remedy: 'Use the range in `fits`, or remove a filter.',
  },
  range_not_kept: {
    status: 422,
    title: 'Single clicks of this range are no longer kept',
    cause:
      'A filter across dimensions or by a rare value, or a range that begins or ends within an hour or a day, needs single clicks that retention has deleted. Their counts are kept.',
    remedy: 'Use the range in `fits`, or remove a filter.',
  },
})

/** The length of a day in UTC, which has no summer time. */
export const dayMs = 86_400_000

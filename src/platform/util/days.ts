/** Of a day of UTC, which has no summer time. */
export const dayMs = 86_400_000

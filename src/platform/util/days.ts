/** The length of a day in UTC, which has no daylight saving time. */
export const dayMs = 86_400_000

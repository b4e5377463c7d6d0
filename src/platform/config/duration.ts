const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

export const durationPattern = '^[1-9][0-9]{0,4}(s|m|h|d|w)$'
const duration = new RegExp(durationPattern)

/** Returns the seconds of a duration such as `30d`, or null if the text is not a whole number and one unit. */
export function parseDuration(text: string): number | null {
  const [, unit] = duration.exec(text) ?? []
  return unit === undefined ? null : parseInt(text, 10) * unitSeconds[unit as keyof typeof unitSeconds]
}

/** Returns the end of a duration. Callers have validated the duration; an invalid one adds nothing. */
export function addDuration(start: Date, duration: string): Date {
  return new Date(start.getTime() + (parseDuration(duration) ?? 0) * 1000)
}

/** Returns null if the duration is invalid. */
export function timeAgo(duration: string, now: Date): Date | null {
  const seconds = parseDuration(duration)
  return seconds === null ? null : new Date(now.getTime() - seconds * 1000)
}

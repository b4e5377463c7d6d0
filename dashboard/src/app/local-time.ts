/** Times in the time zone of the browser, in the format of `datetime-local`. */

/** Attributes of a field for a time. Without a maximum, browsers accept years of up to six digits. */
export const timeField = { type: 'datetime-local', max: '9999-12-31T23:59' } as const

/** Formats a time, rounded down to a minute. */
export function toLocalTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Converts the value of a field for the API. Keeps an invalid time, so that the service describes the error. */
export function toTime(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

/** Names of the buckets of a chart and of the ticks of its axis. */
const weekday = { weekday: 'short', day: 'numeric', month: 'short' } as const
const bucketOfHour = new Intl.DateTimeFormat('en-GB', { ...weekday, hour: '2-digit', minute: '2-digit' })
const bucketOfDay = new Intl.DateTimeFormat('en-GB', weekday)
const bucketOfWeek = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const bucketOfMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

export const daySeconds = 86_400

/** Returns the length of the first bucket in days. */
export function getBucketDays([first, second]: readonly string[]): number {
  if (first === undefined || second === undefined) return 0
  return (Date.parse(second) - Date.parse(first)) / (daySeconds * 1_000)
}

/** Returns the date at midnight, otherwise the time. */
export function axisName(seconds: number): string {
  const at = new Date(seconds * 1_000)
  return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : hour.format(at)
}

/** Returns the name of the bucket that contains the current time. */
export function getCurrentBucketName(starts: readonly string[]): string {
  const days = getBucketDays(starts)
  if (days > 27) return 'This month'
  if (days > 1.5) return 'This week'
  return days > 0.5 ? 'Today' : 'This hour'
}

/** Returns an empty name for an index beyond the end, which the readout may still have after the series shrinks. */
export function bucketName(starts: readonly string[], index: number): string {
  const start = starts[index]
  if (start === undefined) return ''
  const days = getBucketDays(starts)
  const at = new Date(start)
  if (days > 27) return bucketOfMonth.format(at)
  if (days > 1.5) return `Week of ${bucketOfWeek.format(at)}`
  return (days > 0.5 ? bucketOfDay : bucketOfHour).format(at)
}

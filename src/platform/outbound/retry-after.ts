const longestMs = 24 * 60 * 60 * 1000

/** The three forms of a date in HTTP (RFC 9110, 5.6.7). `Date.parse` alone would take a lone number for a year. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/** When a `Retry-After` asks to be called again: at most a day ahead. Null for the past and for what is neither seconds nor a date. */
export function retryAfter(value: string | undefined, now: Date): Date | null {
  const waitMs = waitOf(value?.trim() ?? '', now.getTime())
  return waitMs > 0 ? new Date(now.getTime() + Math.min(waitMs, longestMs)) : null
}

function waitOf(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  if (!httpDate.test(value)) return NaN
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) - now
}

/** Formats numbers and times for display, in English and in the time zone of the browser. */
import { signal } from '@preact/signals'

/** The current time, updated every 15 seconds so that relative times stay current. */
export const now = signal(Date.now())

export function startClock(): void {
  setInterval(() => (now.value = Date.now()), 15_000)
}

const number = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const wholePercent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const fixedPercent = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const clockFormat = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const
const clock = new Intl.DateTimeFormat('en-GB', clockFormat)
const clockOfYear = new Intl.DateTimeFormat('en-GB', { ...clockFormat, year: 'numeric' })
const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'long',
})

export const formatNumber = (value: number): string => number.format(value)
export const formatCompact = (value: number): string => compact.format(value)
export const formatPercent = (share: number): string => percent.format(share)
/** Formats a change, with a decimal only below 10%. */
export const formatChange = (share: number): string => (share < 0.1 ? percent : wholePercent).format(share)
/** Formats a share with a fixed number of decimals, for a column. */
export const formatShare = (share: number): string => fixedPercent.format(share)
/** Formats a time to the second, with the year if it is not the current year. */
export function formatClock(at: string): string {
  const time = new Date(at)
  return (isSameYear(time, Date.now()) ? clock : clockOfYear).format(time)
}
/** Formats a day, with the year if it is not the current year. */
export function formatDay(at: string): string {
  const time = new Date(at)
  return (isSameYear(time, Date.now()) ? day : dayOfYear).format(time)
}
export const formatTimeOfDay = (at: string): string => timeOfDay.format(new Date(at))
export const formatExact = (at: string): string => exact.format(new Date(at))

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** The largest usual difference between the clocks of the browser and the service, in milliseconds. */
export const maxClockSkewMs = 2_000

const dayMs = 86_400_000

function isSameYear(time: Date, other: number): boolean {
  return time.getFullYear() === new Date(other).getFullYear()
}

/** Formats a time as relative within one day, otherwise as a date. The time is shown within a week. */
export function formatWhen(at: string, from: number): string {
  const time = new Date(at)
  const distance = time.getTime() - from
  const size = Math.abs(distance)
  if (size > dayMs && !isSameYear(time, from)) return dayOfYear.format(time)
  if (size > dayMs) return (size > 7 * dayMs ? day : dayAndTime).format(time)
  if (size < 10_000) return distance > maxClockSkewMs ? 'in <10s' : 'just now'
  const [unit, length] = units.find(([, each]) => size >= each) ?? units.at(-1)!
  // Rounding would turn 59.5 minutes into an hour of 60 minutes.
  return relative.format(Math.trunc(distance / length), unit)
}

export function formatMs(ms: number | null): string {
  if (ms === null) return '–'
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
}

/** Formats the remaining time in at most two units, such as `3 h 12 min` or `5 min 20 s`. */
export function formatLeft(until: string, from: number): string {
  const seconds = Math.max(0, Math.round((new Date(until).getTime() - from) / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** Like `formatLeft`, but without the seconds after minutes. */
export function formatUntil(until: string, from: number): string {
  return formatLeft(until, from).replace(/(?<=min) \d+ s$/, '')
}

/** Returns the text if it is an http or https URL, which is safe as a link, otherwise null. */
export function safeUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  return ['http:', 'https:'].includes(new URL(text).protocol) ? text : null
}

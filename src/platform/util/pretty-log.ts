/** Formats JSON log lines for people. Other lines stay unchanged. */
import { plainText } from './plain-text.js'

const colors: Readonly<Record<string, number>> = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 }

/** The same in every line, because a terminal shows one process. */
const hidden: ReadonlySet<string> = new Set(['instance', 'version'])

interface LogEntry extends Record<string, unknown> {
  time: string
  level: string
  msg: string
  stack?: string
}

export function prettyLine(line: string, { hasColor }: { hasColor: boolean }): string {
  const entry = parseEntry(line)
  if (!entry) return line
  const paint = (text: string, color: number) =>
    hasColor && text ? `\u001b[${color}m${text}\u001b[0m` : text
  const { time, level, msg, stack, ...rest } = entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const details = Object.entries(rest)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const parts = [
    paint(clock, 90),
    paint(level.toUpperCase().padEnd(5), colors[level] ?? 32),
    plainText(msg),
    paint(details.join(' '), 90),
  ]
  return [parts.join(' ').trimEnd(), ...(stack ? [plainText(stack)] : [])].join('\n')
}

function parseEntry(line: string): LogEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<LogEntry> | null
    return typeof entry?.level === 'string' && typeof entry.msg === 'string' ? (entry as LogEntry) : null
  } catch {
    return null
  }
}

/** Formats the JSON log of the service for reading. Other lines stay unchanged. */
import { createInterface } from 'node:readline'

const colors = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 }

export function prettyLog(input, output) {
  const hasColor = output.isTTY === true && process.env.NO_COLOR === undefined
  const paint = (text, color) => (hasColor && color ? `\u001b[${color}m${text}\u001b[0m` : text)
  createInterface({ input }).on('line', (line) => output.write(`${prettyLine(line, paint)}\n`))
}

function prettyLine(line, paint) {
  const entry = parse(line)
  if (entry === null) return line
  const { time, level, msg, stack, ...rest } = entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const details = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const first = [paint(clock, 90), paint(level.toUpperCase().padEnd(5), colors[level] ?? 32), msg]
  return [[...first, paint(details.join(' '), 90)].join(' ').trimEnd(), ...(stack ? [stack] : [])].join('\n')
}

function parse(line) {
  try {
    const entry = JSON.parse(line)
    return typeof entry?.level === 'string' && typeof entry.msg === 'string' ? entry : null
  } catch {
    return null
  }
}

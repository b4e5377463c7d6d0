/** Measures the memory of each part of `npm start`, and its trend. */
import { commandOf, family, memoryOf } from '../lib/processes.js'

/** Returns the memory of npm, the service, all PostgreSQL processes and other processes, in MB. */
export function memoryByPart({ pid }) {
  const parts = {}
  for (const member of family(pid)) (parts[partOf(member, pid)] ??= []).push(member)
  return Object.fromEntries(Object.entries(parts).map(([part, pids]) => [part, memoryOf(pids)]))
}

export const serviceMemory = (service) => memoryByPart(service).service?.own ?? NaN

function partOf(member, root) {
  const command = commandOf(member)
  if (/^(postgres:|\S*\/postgres )/.test(command)) return 'PostgreSQL'
  if (/(dist\/main|scripts\/start)\.js/.test(command)) return 'service'
  return member === root ? 'npm' : `other (${command.split(' ')[0]})`
}

/** Fits a line through `[milliseconds, MB]`. Returns its slope in MB per hour and the total growth. */
export function trend(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)))
  const variance = mean(points.map(([x]) => (x - meanX) ** 2))
  const slope = variance === 0 ? 0 : covariance / variance
  const [first, last] = [points[0][0], points.at(-1)[0]]
  return { perHour: slope * 3_600_000, growth: (slope * (last - first)) / (meanY + slope * (first - meanX)) }
}

/** Logs to standard error: JSON lines, or readable lines on a terminal. Standard output belongs to commands. */
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'

import type { LoggerService } from '@nestjs/common'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

import type { LogFieldName } from './log-fields.js'
import { prettyLine } from './pretty-log.js'
import { tracer } from './tracing.js'
import { version } from './program.js'

/** The fields of every line. */
const base = { instance: `${hostname()}:${process.pid}`, version } satisfies Partial<
  Record<LogFieldName, string>
>

export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base,
      ...(tracer && { mixin: () => tracer?.getActiveIds() ?? {} }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? (process.stderr.isTTY ? readableStream() : pino.destination({ dest: 2, sync: true })),
  )
}

function readableStream(): DestinationStream {
  const hasColor = !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
  return { write: (line) => void writeSync(2, `${prettyLine(line.trimEnd(), { hasColor })}\n`) }
}

/** Parts of Nest that log each step of the startup. Their messages are logged at `debug`. */
const contextsOfNest = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
])

/** Splits a message into fields and text. A message with fields is an object whose text is `msg`. */
function toLogLine(message: unknown, fields: object): [object, string] {
  if (typeof message !== 'object' || message === null || !('msg' in message)) return [fields, String(message)]
  const { msg, ...messageFields } = message
  return [{ ...fields, ...messageFields }, String(msg)]
}

export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    const level = context !== undefined && contextsOfNest.has(context) ? 'debug' : 'info'
    this.logger[level](...toLogLine(message, { context }))
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn(...toLogLine(message, { context }))
  }

  error(message: unknown, ...rest: unknown[]): void {
    const stack = rest.length > 1 ? rest[0] : undefined
    this.logger.error(...toLogLine(message, { context: rest.at(-1), stack }))
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(...toLogLine(message, { context: rest.at(-1) }))
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug(...toLogLine(message, { context }))
  }
}

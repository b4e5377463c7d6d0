/** Logs JSON lines to standard error. Standard output is only for what a person or a script asked for. */
import type { LoggerService } from '@nestjs/common'
import { pino } from 'pino'
import type { Logger } from 'pino'

export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}

/** The parts of Nest that tell each step of a start, which is worth a debug line at most. */
const contextsOfNest = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
])

export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    const level = context !== undefined && contextsOfNest.has(context) ? 'debug' : 'info'
    this.logger[level]({ context }, String(message))
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message))
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: rest.at(-1), stack: rest.length > 1 ? rest[0] : undefined }, String(message))
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ context: rest.at(-1) }, String(message))
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message))
  }
}

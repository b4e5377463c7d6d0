/** Prints the output of `listen`: text, or one JSON document per line with `--json`. Notices go to standard error. */
import { everyEvent } from '../../events/catalogue.js'
import type { ForwardedEvent, ForwardOutcome } from './forwarder.js'
import type { Plan } from './listen-plan.js'
import { encodePosition } from './position.js'
import type { Position } from './position.js'

export interface Printer {
  started(plan: Plan, position: Position): Promise<void>
  /** Resolves once the line is written. Await it before the next event, so that a killed run repeats at most one. */
  forwarded(event: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void>
  stopped(position: Position): Promise<void>
  notify(line: string): void
}

// A position takes several lines in a terminal, so it is printed rarely.
const positionIntervalMs = 60_000
const typeWidth = 16

export function createPrinter({ json }: Pick<Plan, 'json'>): Printer {
  return json ? new JsonPrinter() : new LinePrinter()
}

class LinePrinter implements Printer {
  private positionShownAt = performance.now()

  started({ events, receiver, secret, isSecretGenerated }: Plan): Promise<void> {
    const lines = [
      `Forwarding ${events.includes(everyEvent) ? 'all events' : events.join(', ')} to ${receiver.href}`,
    ]
    if (isSecretGenerated)
      lines.push('', `Signing secret, generated for this run and shown only here: ${secret}`)
    return write([...lines, '', 'Press Ctrl-C to stop.', ''])
  }

  forwarded({ type, id }: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void> {
    const time = new Date().toTimeString().slice(0, 8)
    const result = outcome.error ?? String(outcome.status)
    const lines = [`${time}  ${type.padEnd(typeWidth)}  ${id}  ${result}  ${outcome.durationMs} ms`]
    if (performance.now() - this.positionShownAt > positionIntervalMs) {
      this.positionShownAt = performance.now()
      lines.push(resumeLine(position))
    }
    return write(lines)
  }

  stopped(position: Position): Promise<void> {
    return write(['', resumeLine(position)])
  }

  notify(line: string): void {
    printNotice(line)
  }
}

class JsonPrinter implements Printer {
  started({ events, receiver, secret, isSecretGenerated }: Plan, position: Position): Promise<void> {
    return writeJson({
      kind: 'started',
      time: new Date(),
      events,
      forward_to: receiver.href,
      secret: isSecretGenerated ? secret : null,
      cursor: encodePosition(position),
    })
  }

  forwarded({ type, id }: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void> {
    return writeJson({
      kind: 'forwarded',
      time: new Date(),
      type,
      id,
      sequence: position.sequence,
      status: outcome.status,
      error: outcome.error,
      duration_ms: outcome.durationMs,
      cursor: encodePosition(position),
    })
  }

  stopped(position: Position): Promise<void> {
    return writeJson({ kind: 'stopped', time: new Date(), cursor: encodePosition(position) })
  }

  notify(line: string): void {
    printNotice(line)
  }
}

function resumeLine(position: Position): string {
  return `To continue from here: --from ${encodePosition(position)}`
}

function printNotice(line: string): void {
  process.stderr.write(`${line}\n`)
}

function writeJson(document: object): Promise<void> {
  return write([JSON.stringify(document)])
}

function write(lines: readonly string[]): Promise<void> {
  return new Promise((written) => process.stdout.write(`${lines.join('\n')}\n`, () => written()))
}

/** Prints the output of `listen`: text, or one JSON document per line with `--json`. Notices go to standard error. */
import { everyEvent } from '../../events/catalog.js'
import type { ForwardedEvent, ForwardOutcome } from './forwarder.js'
import type { Plan } from './listen-plan.js'
import { encodePosition } from './position.js'
import type { Position } from './position.js'

export interface Printer {
  started(plan: Plan, position: Position): Promise<void>
  /** Resolves once the line is written. Await it before the next event, so that a killed run repeats at most one. */
  forwarded(event: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void>
  replaying(plan: Plan): Promise<void>
  replayed(event: ForwardedEvent, outcome: ForwardOutcome, sequence: number): Promise<void>
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

  started(plan: Plan): Promise<void> {
    const events = plan.events.includes(everyEvent) ? 'all events' : plan.events.join(', ')
    return write([
      `Forwarding ${events} to ${plan.receiver.href}`,
      ...secretLines(plan),
      '',
      'Press Ctrl-C to stop.',
      '',
    ])
  }

  forwarded(event: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void> {
    const lines = [outcomeLine(event, outcome)]
    if (performance.now() - this.positionShownAt > positionIntervalMs) {
      this.positionShownAt = performance.now()
      lines.push(resumeLine(position))
    }
    return write(lines)
  }

  replaying(plan: Plan): Promise<void> {
    return write([`Sending past events to ${plan.receiver.href}`, ...secretLines(plan), ''])
  }

  replayed(event: ForwardedEvent, outcome: ForwardOutcome): Promise<void> {
    return write([outcomeLine(event, outcome)])
  }

  stopped(position: Position): Promise<void> {
    return write(['', resumeLine(position)])
  }

  notify(line: string): void {
    printNotice(line)
  }
}

class JsonPrinter implements Printer {
  started(plan: Plan, position: Position): Promise<void> {
    return writeJson({
      kind: 'started',
      time: new Date(),
      events: plan.events,
      ...receiverFields(plan),
      cursor: encodePosition(position),
    })
  }

  forwarded(event: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void> {
    return writeJson({
      kind: 'forwarded',
      ...outcomeFields(event, outcome, position.sequence),
      cursor: encodePosition(position),
    })
  }

  replaying(plan: Plan): Promise<void> {
    return writeJson({ kind: 'replaying', time: new Date(), ...receiverFields(plan) })
  }

  replayed(event: ForwardedEvent, outcome: ForwardOutcome, sequence: number): Promise<void> {
    return writeJson({ kind: 'forwarded', ...outcomeFields(event, outcome, sequence) })
  }

  stopped(position: Position): Promise<void> {
    return writeJson({ kind: 'stopped', time: new Date(), cursor: encodePosition(position) })
  }

  notify(line: string): void {
    printNotice(line)
  }
}

function secretLines({ secret, isSecretGenerated }: Plan): string[] {
  return isSecretGenerated
    ? ['', `Signing secret, generated for this run and shown only here: ${secret}`]
    : []
}

function outcomeLine({ type, id }: ForwardedEvent, { status, error, durationMs }: ForwardOutcome): string {
  const time = new Date().toTimeString().slice(0, 8)
  return `${time}  ${type.padEnd(typeWidth)}  ${id}  ${error ?? String(status)}  ${durationMs} ms`
}

function receiverFields({ receiver, secret, isSecretGenerated }: Plan) {
  return { forward_to: receiver.href, secret: isSecretGenerated ? secret : null }
}

function outcomeFields(
  { type, id }: ForwardedEvent,
  { status, error, durationMs }: ForwardOutcome,
  sequence: number,
) {
  return { time: new Date(), type, id, sequence, status, error, duration_ms: durationMs }
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

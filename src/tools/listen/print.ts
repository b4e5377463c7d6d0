/** What a run prints: lines for people, or with --json one JSON document per line. Notices go to standard error. */
import { everyEvent } from '../../events/catalogue.js'
import type { ForwardedEvent, ForwardOutcome } from './forward.js'
import type { Plan } from './listen-plan.js'
import { encodePosition } from './position.js'
import type { Position } from './position.js'

export interface Printer {
  started(plan: Plan, position: Position): Promise<void>
  /** Resolves when the line is out. Send the next event only then, or a killed run repeats more than one. */
  forwarded(event: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void>
  stopped(position: Position): Promise<void>
  say(line: string): void
}

// A position fills several lines of a terminal, so it is shown seldom.
const positionEveryMs = 60_000
const longestType = 16

export function printerFor({ json }: Pick<Plan, 'json'>): Printer {
  return json ? new JsonPrinter() : new LinePrinter()
}

class LinePrinter implements Printer {
  private positionShownAt = performance.now()

  started({ events, receiver, secret, isSecretMade }: Plan): Promise<void> {
    const lines = [
      `Forwarding ${events.includes(everyEvent) ? 'all events' : events.join(', ')} to ${receiver.href}`,
    ]
    if (isSecretMade) lines.push('', `Signing secret, made for this run and shown only here: ${secret}`)
    return write([...lines, '', 'Ctrl-C stops it.', ''])
  }

  forwarded({ type, id }: ForwardedEvent, outcome: ForwardOutcome, position: Position): Promise<void> {
    const time = new Date().toTimeString().slice(0, 8)
    const result = outcome.error ?? String(outcome.status)
    const lines = [`${time}  ${type.padEnd(longestType)}  ${id}  ${result}  ${outcome.durationMs} ms`]
    if (performance.now() - this.positionShownAt > positionEveryMs) {
      this.positionShownAt = performance.now()
      lines.push(resumeLine(position))
    }
    return write(lines)
  }

  stopped(position: Position): Promise<void> {
    return write(['', resumeLine(position)])
  }

  say(line: string): void {
    notice(line)
  }
}

class JsonPrinter implements Printer {
  started({ events, receiver, secret, isSecretMade }: Plan, position: Position): Promise<void> {
    return writeJson({
      kind: 'started',
      time: new Date(),
      events,
      forward_to: receiver.href,
      secret: isSecretMade ? secret : null,
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

  say(line: string): void {
    notice(line)
  }
}

function resumeLine(position: Position): string {
  return `To go on from here: --from ${encodePosition(position)}`
}

function notice(line: string): void {
  process.stderr.write(`${line}\n`)
}

function writeJson(document: object): Promise<void> {
  return write([JSON.stringify(document)])
}

function write(lines: readonly string[]): Promise<void> {
  return new Promise((written) => process.stdout.write(`${lines.join('\n')}\n`, () => written()))
}

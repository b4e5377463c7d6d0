/** Compares what a receiver did with what it should do. */
import type { Reaction } from './receiver-probe.js'
import type { ReceiverCheck } from './receiver-checks.js'

export interface Judgment {
  name: string
  result: 'ok' | 'warn' | 'fail'
  /** What the receiver did. */
  response: string
  /** Null if nothing needs to be fixed. */
  fix: string | null
}

const slowResponseMs = 5_000

export function judge(check: ReceiverCheck, reactions: readonly Reaction[]): Judgment {
  const faults = reactions.map((reaction) =>
    check.expected === 'accept' ? findAcceptFault(reaction, check) : findRejectFault(reaction, check),
  )
  const worst =
    faults.find((fault) => fault?.result === 'fail') ?? faults.find((fault) => fault !== null) ?? null
  const shown = worst ? reactions[faults.indexOf(worst)]! : reactions.at(-1)!
  return {
    name: check.name,
    result: worst === null ? 'ok' : check.isOptional ? 'warn' : worst.result,
    response: shown.error ?? `${shown.status} in ${shown.durationMs} ms`,
    fix: worst?.fix ?? null,
  }
}

type Fault = { result: 'warn' | 'fail'; fix: string } | null

function findAcceptFault(
  { status, durationMs }: Reaction,
  { fix, fixWithoutResponse = fix }: ReceiverCheck,
): Fault {
  if (status === null) return { result: 'fail', fix: fixWithoutResponse }
  if (isRedirect(status)) return { result: 'fail', fix: redirectFix }
  if (!isSuccess(status)) return { result: 'fail', fix }
  if (durationMs > slowResponseMs)
    return {
      result: 'warn',
      fix: 'Respond before you process the event. Requests time out after 15 seconds.',
    }
  return null
}

function findRejectFault({ status, error }: Reaction, { fix }: ReceiverCheck): Fault {
  if (status !== null && isSuccess(status)) return { result: 'fail', fix }
  if (error !== null)
    return {
      result: 'warn',
      fix: 'Respond with 401 to a request that is not valid, instead of closing the connection.',
    }
  if (status !== null && (status < 400 || status >= 500))
    return {
      result: 'warn',
      fix: 'Respond with 401 to a request that is not valid. 5xx reports a fault of the receiver.',
    }
  return null
}

const redirectFix = 'Use the URL that the receiver redirects to. Deliveries do not follow redirects.'

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

/** `link-service webhooks check`: sends valid and forged requests to a receiver on this machine, and grades it. */
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

import ipaddr from 'ipaddr.js'

import { outputScreen, print, printJson } from '../../platform/command-line/output.js'
import { formatTable } from '../../platform/command-line/table.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/config/startup-error.js'
import { getSigningKey } from '../../webhooks/signing.js'
import { readSecretLine, requireUrl } from '../remote/api-access.js'
import { requireSigningSecret } from '../remote/signing-secret.js'
import { receiverChecks } from './receiver-checks.js'
import type { ReceiverCheck } from './receiver-checks.js'
import { ReceiverProbe } from './receiver-probe.js'
import type { Reaction } from './receiver-probe.js'

export interface CheckOptions {
  secret?: string | undefined
  secretFile?: string | undefined
  json?: boolean | undefined
}

const tones = { ok: 'good', warn: 'warn', fail: 'bad' } as const
const columns: TableColumn<Judgment>[] = [
  { title: 'result', value: ({ result }) => result, tone: ({ result }) => tones[result] },
  { title: 'request', value: ({ name }) => name },
  { title: 'response', value: ({ response }) => response },
]

export async function checkReceiver(text: string, options: CheckOptions): Promise<void> {
  const url = requireUrl(text, '<url>', 'http://localhost:4000/hooks')
  const key = getSigningKey(readSecret(options))
  const probe = new ReceiverProbe(url, await findLocalAddress(url), key)
  try {
    const judgments = await runChecks(probe)
    const hasFailed = judgments.some(({ result }) => result === 'fail')
    if (hasFailed) process.exitCode = 1
    if (options.json) printJson({ url: url.href, passed: !hasFailed, checks: judgments })
    else printReport(judgments)
  } finally {
    await probe.close()
  }
}

/** Stops after the first check if the receiver rejects a valid request. */
async function runChecks(probe: ReceiverProbe): Promise<Judgment[]> {
  const judgments: Judgment[] = []
  for (const check of receiverChecks) {
    judgments.push(judge(check, [await check.send(probe)].flat()))
    if (judgments[0]!.result === 'fail') break
  }
  return judgments
}

function readSecret({ secret, secretFile }: CheckOptions): string {
  if (secret !== undefined) return requireSigningSecret('--secret', secret)
  if (secretFile !== undefined)
    return requireSigningSecret('--secret-file', readSecretLine('--secret-file', secretFile))
  throw new UsageError('Use --secret-file with a file that contains the signing secret of the receiver.')
}

function printReport(judgments: readonly Judgment[]): void {
  print(...formatTable(columns, judgments, outputScreen()))
  const faulty = judgments.filter(({ fix }) => fix !== null)
  if (faulty.length > 0) print('', 'What to fix:')
  for (const { name, fix } of faulty) print(`- ${name}: ${fix}`)
  const passed = judgments.filter(({ result }) => result === 'ok').length
  const skipped = receiverChecks.length - judgments.length
  const summary = `${passed} of ${receiverChecks.length} checks passed.`
  print(
    '',
    skipped === 0
      ? summary
      : `${summary} ${skipped} were not run: they need a receiver that accepts valid requests.`,
  )
}

/** Returns the IP address to connect to. Throws if the host has an address of another machine. */
export async function findLocalAddress({ hostname }: URL): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true }).catch(() => {
    throw new UsageError(`The host ${host} was not found.`)
  })
  const remote = found.find(({ address }) => !isLocal(address))
  if (remote)
    throw new UsageError(
      `${host} is not an address of this machine${remote.address === host ? '' : ` (${remote.address})`}. Run this command where the receiver runs, because it sends forged requests.`,
    )
  return found[0]!.address
}

export function isLocal(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'loopback') return true
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => ipaddr.process(own.address.replace(/%.*/, '')).toString() === parsed.toString())
}

interface Judgment {
  name: string
  result: 'ok' | 'warn' | 'fail'
  /** What the receiver did. */
  response: string
  /** Null if nothing needs to be fixed. */
  fix: string | null
}

const slowResponseMs = 5_000

function judge(check: ReceiverCheck, reactions: readonly Reaction[]): Judgment {
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

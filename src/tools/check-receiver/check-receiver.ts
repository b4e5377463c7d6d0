/** `link-service webhooks check`: sends valid and forged requests to a receiver on this machine, and grades it. */
import { outputScreen, print, printJson } from '../../platform/command-line/output.js'
import { formatTable } from '../../platform/command-line/table.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/config/startup-error.js'
import { getSigningKey } from '../../webhooks/signing.js'
import { readSecretLine, requireUrl } from '../remote/api-access.js'
import { requireSigningSecret } from '../remote/signing-secret.js'
import { judge } from './judge.js'
import type { Judgment } from './judge.js'
import { findLocalAddress } from './local-host.js'
import { receiverChecks } from './receiver-checks.js'
import { ReceiverProbe } from './receiver-probe.js'

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

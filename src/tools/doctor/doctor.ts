/** The command `doctor`: what an operator asks when something does not work. */
import type { Check } from './check.js'
import { examine } from './examine.js'

const longestName = 'webhook_ca_file'.length

/** False when something has failed. */
export async function doctor({ json }: { json?: boolean | undefined }): Promise<boolean> {
  const checks: Check[] = []
  for await (const check of examine()) {
    checks.push(check)
    if (!json) process.stdout.write(`${lineOf(check)}\n`)
  }
  const isWell = checks.every(({ status }) => status !== 'fail')
  if (json) process.stdout.write(`${JSON.stringify({ ok: isWell, checks }, null, 2)}\n`)
  return isWell
}

function lineOf({ name, status, message }: Check): string {
  return `${status.padEnd('warn'.length)}  ${name.padEnd(longestName)}  ${message}`
}

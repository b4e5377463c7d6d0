/** Asks the user on a terminal. Questions go to standard error, because standard output belongs to the result. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { Option } from '@commander-js/extra-typings'

import { StartupError } from '../../platform/config/startup-error.js'

export const yesOption = new Option('-y, --yes', 'do not ask for confirmation')

/** Returns whether to continue. Does not ask with `--yes` or without a terminal. */
export async function confirm(question: string, { yes }: { yes?: true | undefined }): Promise<boolean> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return true
  const answer = await readAnswer(`${question} [y/N] `, { isSecret: false })
  if (/^y(es)?$/i.test(answer.trim())) return true
  process.stderr.write('Nothing was deleted.\n')
  process.exitCode = 1
  return false
}

/** Reads a secret from the terminal without showing it, or from standard input. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  return (await readAnswer(question, { isSecret: true })).trim()
}

function readAnswer(question: string, { isSecret }: { isSecret: boolean }): Promise<string> {
  const hidden = new Writable({ write: (_piece, _encoding, done) => done() })
  // The readline interface turns off the echo of the terminal and writes its own echo to `output`.
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? hidden : process.stderr,
    terminal: true,
  })
  return new Promise((resolve, reject) => {
    if (isSecret) process.stderr.write(question)
    lines.on('SIGINT', () => {
      reject(new StartupError('Canceled.'))
      lines.close()
    })
    lines.on('close', () => {
      if (isSecret) process.stderr.write('\n')
      reject(new StartupError('Canceled.'))
    })
    lines.question(isSecret ? '' : question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

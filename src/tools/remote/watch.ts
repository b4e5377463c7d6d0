/** `--watch`: repeats a request, and redraws its output on a terminal or appends it elsewhere. */
import { setTimeout as pause } from 'node:timers/promises'

import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { LinkService } from '@link-service/client'

import { listenForStop } from '../listen/stop-signals.js'
import type { ApiAccess } from './api-access.js'
import { withClient } from './connection.js'
import type { OptionNames } from './connection.js'
import { PatientClient } from './patient-client.js'
import { printOutput } from './remote-output.js'
import type { Output } from './remote-output.js'

const minIntervalSeconds = 2

interface WatchOptions extends ApiAccess {
  watch?: true | undefined
  interval?: number | undefined
}

/** Adds `--watch` to a command that only reads. */
export function withWatch<Args extends unknown[], Options extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Options, Globals>,
) {
  return command
    .option('--watch', 'refresh the output until you press Ctrl-C')
    .addOption(
      new Option(
        '--interval <seconds>',
        `seconds between refreshes with --watch (default: ${minIntervalSeconds})`,
      ).argParser(readInterval),
    )
}

/** Prints the output once, or repeatedly with `--watch`. */
export async function printOrWatch(
  options: WatchOptions,
  read: (client: LinkService) => Promise<Output>,
  names: OptionNames = {},
): Promise<void> {
  if (!options.watch) return printOutput(await withClient(options, read, names))
  const { stop } = listenForStop()
  const api = new PatientClient(options, (line) => process.stderr.write(`${line}\n`), stop, names)
  const seconds = options.interval ?? minIntervalSeconds
  const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null)))
  const show = process.stdout.isTTY ? redraw : append
  while (!stop.aborted) {
    const output = await Promise.race([api.call(read), stopped])
    if (output) show(output, seconds)
    await Promise.race([pause(seconds * 1000), stopped])
  }
  if (process.stdout.isTTY) process.stdout.write('\n')
}

function append({ text }: Output): void {
  process.stdout.write(text)
}

const [clearScreen, eraseBelow] = ['\u001b[H\u001b[2J', '\u001b[J']

/** Draws from the top of the screen. Cuts lines that do not fit, because scrolling would leave old lines behind. */
function redraw({ text }: Output, seconds: number): void {
  const heading = [
    `Every ${seconds} s, updated at ${new Date().toTimeString().slice(0, 8)}. Press Ctrl-C to stop.`,
    '',
  ]
  const lines = [...heading, ...text.trimEnd().split('\n')]
  process.stdout.write(`${clearScreen}${lines.slice(0, process.stdout.rows - 1).join('\n')}\n${eraseBelow}`)
}

function readInterval(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= minIntervalSeconds) return Number(text)
  throw new InvalidArgumentError(`Use a whole number of seconds, at least ${minIntervalSeconds}.`)
}

/** A process that writes clicks to a journal until it is killed, and prints the ID of each durable click. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import type { JournalOptions } from '../../src/clicks/journal/click-journal.js'
import { visit } from './journals.js'

const builtJournal = pathToFileURL(
  join(import.meta.dirname, '../../dist/clicks/journal/click-journal.js'),
).href

export interface ClickWriter {
  pid: number
  acknowledged: string[]
  kill(): Promise<void>
}

export class ClickWriters {
  private readonly program = mkdtempSync(join(tmpdir(), 'click-writer-'))
  private running: ClickWriter[] = []

  constructor() {
    writeProgram(this.program)
  }

  /** Starts a process that writes `perTurn` clicks in each turn of its event loop. */
  async start(
    dataDir: string,
    perTurn: number,
    options: Partial<Pick<JournalOptions, 'asleepAfterMs'>> = {},
  ): Promise<ClickWriter> {
    const child = spawn(
      process.execPath,
      [join(this.program, 'main.mjs'), dataDir, String(perTurn), JSON.stringify(options)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const lines = createInterface({ input: child.stdout })
    const acknowledged: string[] = []
    // The output may end before the process exits.
    const ended = Promise.all([once(lines, 'close'), once(child, 'exit')])
    const writer = {
      pid: child.pid!,
      acknowledged,
      async kill() {
        child.kill('SIGKILL')
        await ended
      },
    }
    this.running.push(writer)
    const ready = once(lines, 'line')
    lines.on('line', (line) => {
      // The last line may be incomplete after a kill.
      if (line.length === 36) acknowledged.push(line)
    })
    await Promise.race([ready, ended.then(() => Promise.reject(new Error('the click writer exited')))])
    return writer
  }

  async killAll(): Promise<void> {
    for (const writer of this.running.splice(0)) await writer.kill()
  }

  remove(): void {
    rmSync(this.program, { recursive: true, force: true })
  }
}

/** Writes a one-file program that imports the built service. */
function writeProgram(target: string): void {
  writeFileSync(
    join(target, 'main.mjs'),
    `import { writeSync } from 'node:fs'
     import { ClickJournal } from ${JSON.stringify(builtJournal)}
     const [, , dataDir, perTurn, options] = process.argv
     const journal = new ClickJournal({ dataDir, maxBytes: 1e9, segmentBytes: 20_000, ...JSON.parse(options) })
     const visit = ${JSON.stringify(visit)}
     writeSync(1, 'ready\\n')
     const print = (holder) => writeSync(1, holder.id + '\\n')
     function turn() {
       for (let i = 0; i < Number(perTurn); i++) {
         const holder = {}
         holder.id = journal.appendClick(visit, print, holder)
       }
       setImmediate(turn)
     }
     if (Number(perTurn) > 0) turn()
     else setInterval(() => {}, 1000)`,
  )
}

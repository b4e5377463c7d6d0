/** Runs `hold-database.js` as a process and reads its output. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Step {
  step: 'open' | 'lost' | 'released' | 'failed'
  url?: string
  name?: string
  message?: string
}

const program = fileURLToPath(new URL('hold-database.js', import.meta.url))

export class DatabaseHolder {
  private readonly child: ChildProcess
  private readonly steps: Step[] = []
  private readonly waiting: ((step: Step) => void)[] = []
  private readonly ended: Promise<unknown>

  /** `prefix` is a command that executes another one. */
  constructor(
    dataDir: string,
    use: 'service' | 'command',
    user?: { uid: number; gid: number },
    prefix: readonly string[] = [],
  ) {
    const [command, ...args] = [...prefix, process.execPath, program, dataDir, use]
    this.child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: '/',
      ...user,
    })
    this.ended = once(this.child, 'close')
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      const step = JSON.parse(line) as Step
      const waiter = this.waiting.shift()
      if (waiter) waiter(step)
      else this.steps.push(step)
    })
  }

  /** Resolves with the next reported step. The wait is bounded by the timeout of the test. */
  async next(): Promise<Step> {
    return this.steps.shift() ?? (await new Promise((resolve) => this.waiting.push(resolve)))
  }

  /** Resolves with the URL of the database once it is open. */
  async url(): Promise<string> {
    const step = await this.next()
    if (!step.url) throw new Error(`The database did not open: ${JSON.stringify(step)}`)
    return step.url
  }

  async release(): Promise<void> {
    this.child.stdin!.end()
    await this.ended
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.ended
  }
}

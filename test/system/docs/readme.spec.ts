/** The commands of the README run as written, apart from the ports. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../../support/free-port.js'
import { unusedConfigFolder } from '../../support/process.js'
import { waitFor } from '../../support/wait-for.js'

const timeoutMs = 120_000

describe('the README', () => {
  let dataDir: string
  let env: Record<string, string | undefined>
  let ports: { service: number; receiver: number }
  let blocks: string[]
  const terminals: Terminal[] = []

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'readme-'))
    ports = { service: await freePort(), receiver: await freePort() }
    env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      XDG_CONFIG_HOME: unusedConfigFolder,
      DATA_DIR: dataDir,
      PORT: String(ports.service),
    }
    const readme = await readFile('README.md', 'utf8')
    blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)
  })
  afterAll(async () => {
    // Close the last terminal first, because its commands call the service.
    for (const terminal of terminals.reverse()) await terminal.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  function open(block: string): Terminal {
    const commands = block
      .replaceAll('localhost:3000', `localhost:${ports.service}`)
      .replaceAll('localhost:4000', `localhost:${ports.receiver}`)
      .replaceAll('listen(4000)', `listen(${ports.receiver})`)
    const terminal = new Terminal(commands, env)
    terminals.push(terminal)
    return terminal
  }

  it(
    'starts the service and shows a click in listen',
    async () => {
      expect(blocks).toHaveLength(2)
      const [first, second] = blocks as [string, string]
      const service = open(first)
      await waitFor('the first token', () => /^lsk_live_\S+$/m.test(service.output), timeoutMs)
      expect(service.output).toContain(`http://localhost:${ports.service}/api/v1`)

      expect(second.trim().split('\n')).toHaveLength(5)
      const commands = open(second)
      const shows = (text: RegExp) => () => {
        expect(commands.output).not.toMatch(/denied|not found/i)
        return text.test(commands.output)
      }
      await waitFor('the click', shows(/\bclick\b.*\b200\b/), timeoutMs)
      await waitFor('the event', shows(/"type":"click"/), timeoutMs)
      expect(commands.output).toContain('https://example.com/hello')
    },
    3 * timeoutMs,
  )
})

/** Runs commands with bash, and stops all their programs when it is closed. */
class Terminal {
  output = ''
  private readonly shell: ChildProcess
  private readonly gone: Promise<unknown>

  constructor(commands: string, env: Record<string, string | undefined>) {
    // Programs in the background belong to the process group of the shell. `wait` keeps the shell running.
    this.shell = spawn('bash', ['-c', `${commands}\nwait`], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.shell.stdout!, this.shell.stderr!])
      stream.on('data', (text: Buffer) => (this.output += text.toString()))
    this.gone = new Promise((done) => this.shell.on('close', done))
  }

  async close(): Promise<void> {
    try {
      process.kill(-this.shell.pid!, 'SIGTERM')
    } catch {
      // All programs have exited.
    }
    await this.gone
  }
}

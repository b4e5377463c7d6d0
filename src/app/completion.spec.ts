/** The completion scripts, run by the shells themselves. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runCommand } from './command-line.js'

async function scriptFor(shell: string): Promise<string> {
  const write = process.stdout.write.bind(process.stdout)
  let script = ''
  process.stdout.write = (piece: string | Uint8Array) => {
    script += String(piece)
    return true
  }
  await runCommand(['completion', shell]).finally(() => (process.stdout.write = write))
  return script
}

/** A file that contains the script. fish cannot read a program from the kind of pipe that Node.js creates. */
async function writeScript(shell: string): Promise<string> {
  const file = join(folder, `completion.${shell}`)
  writeFileSync(file, await scriptFor(shell))
  return file
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-service-completion-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0
const itWith = (shell: string) => {
  if (hasShell(shell)) return it
  process.stderr.write(`A completion test is skipped: it needs ${shell} in the PATH.\n`)
  return it.skip
}

describe('the script for bash', () => {
  let script: string
  beforeAll(async () => (script = await scriptFor('bash')))

  /** Returns the completions of the last word. */
  function complete(...words: string[]): string[] {
    const quoted = ['link-service', ...words].map((word) => `'${word}'`).join(' ')
    const program = `${script}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}
_link_service
printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: program, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((word) => word !== '')
  }

  itWith('bash')('completes commands and the commands of a group', () => {
    expect(complete('')).toEqual(expect.arrayContaining(['links', 'webhooks', 'doctor', 'login', '--help']))
    expect(complete('we')).toEqual(['webhooks'])
    expect(complete('webhooks', 're')).toEqual(['redeliver', 'replay'])
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })

  itWith('bash')('completes the options of a command, even after other words', () => {
    expect(complete('links', 'list', '--ta')).toEqual(['--tag'])
    expect(complete('links', 'list', '--tag', 'links', '--lim')).toEqual(['--limit'])
    expect(complete('links', 'create', 'https://x.example', '--sl')).toEqual(['--slug'])
    expect(complete('token', 'create', '--sl')).toEqual([])
  })

  itWith('bash')('completes the values of options, or leaves them to the shell', () => {
    expect(complete('links', 'list', '--sort', '')).toEqual(['created_at', '-created_at', '-clicks'])
    expect(complete('links', 'list', '--token-file', '')).toEqual([])
  })
})

describe('the script for fish', () => {
  itWith('fish')('completes commands, options and values', async () => {
    const file = await writeScript('fish')
    const complete = (line: string) => {
      const program = `source '${file}'; complete -C '${line}'`
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', program], { encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout
        .trim()
        .split('\n')
        .map((each) => each.split('\t')[0])
    }
    expect(complete('link-service we')).toEqual(['webhooks'])
    expect(complete('link-service webhooks re')).toEqual(['redeliver', 'replay'])
    expect(complete('link-service links list --ta')).toEqual(['--tag'])
    expect(complete('link-service links list --sort c')).toEqual(['created_at'])
  })
})

describe.each(['zsh', 'fish'])('the script for %s', (shell) => {
  it('contains all commands and options', async () => {
    const script = await scriptFor(shell)
    for (const word of ['redeliver', 'token-file', 'sort', 'Create a short link'])
      expect(script).toContain(word)
  })

  itWith(shell)('is valid', async () => {
    const { status, stderr } = spawnSync(shell, ['-n', await writeScript(shell)], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})

it('rejects an unknown shell', async () => {
  const before = process.exitCode
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = () => true
  await runCommand(['completion', 'tcsh']).finally(() => (process.stderr.write = write))
  expect(process.exitCode).toBe(2)
  process.exitCode = before
})

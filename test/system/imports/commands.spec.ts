/** The commands `link-service import` and `link-service export`. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitForImport } from '../../support/factories/imports.js'
import { builtProgram, spawnService, unusedConfigFolder } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
  folder = await mkdtemp(join(tmpdir(), 'link service import '))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

function start(command: string, ...args: string[]) {
  return spawnService([command, '--url', `${service.origin}/api`, ...args], {
    LINK_SERVICE_TOKEN: service.token,
  })
}

async function run(command: string, ...args: string[]) {
  const { gone, output, errors } = start(command, ...args)
  return { code: await gone, out: output(), err: errors() }
}

const url = 'https://target.example/'
const idIn = (text: string) => /imp_[0-9a-z]{26}/.exec(text)![0]

describe('import', () => {
  it('sends a file and prints the result', async () => {
    const path = await file('some.csv', `url,slug,remark\n${url}1,cmd-1,x\nnonsense,cmd-2,\n${url}3,cmd-3,\n`)
    const { code, out, err } = await run('import', path)
    expect(code).toBe(1)
    expect(err).toMatch(/^Sent \d+ B as imp_\w+ \(csv\)\./)
    expect(out).toMatch(/^imp_\w+ finished: 3 lines/)
    expect(out).toContain('created 2, updated 0, skipped 0, failed 1')
    expect(out).toContain('ignored columns: remark')
    expect(out).toMatch(/line 3: url: Must be a complete URL/)
  })

  it('applies --dry-run, --on-conflict, --no-events and --json', async () => {
    const path = await file('again.csv', `url,slug\n${url}1,cmd-1\n${url}9,cmd-9\n`)
    const dry = await run('import', path, '--dry-run', '--on-conflict', 'skip', '--json')
    expect(dry.code).toBe(0)
    expect(JSON.parse(dry.out)).toMatchObject({
      dry_run: true,
      created: 1,
      skipped: 1,
      failed: 0,
      faults: [],
    })
    const failing = await run('import', path, '--no-events', '--json')
    expect(failing.code).toBe(1)
    expect(JSON.parse(failing.out)).toMatchObject({
      notify: false,
      created: 1,
      failed: 1,
      faults: [{ line: 2, errors: [{ field: 'slug', code: 'taken' }] }],
    })
  })

  it('rejects a pipe, because its beginning can be read only once', async () => {
    const path = await file('piped.jsonl', `{"url":"${url}piped"}\n`.repeat(1_000))
    const command = 'cat "$1" | "$2" "$3" import --url "$4" /dev/stdin'
    const args = ['-c', command, 'sh', path, process.execPath, builtProgram, `${service.origin}/api`]
    const env = { ...process.env, LINK_SERVICE_TOKEN: service.token, XDG_CONFIG_HOME: unusedConfigFolder }
    const ended = await promisify(execFile)('sh', args, { env }).catch((error: unknown) => error)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended).toMatchObject({ stderr: expect.stringMatching(/^\/dev\/stdin is not a regular file/) })
  })

  it('detects NDJSON, and shows the first ten failed lines', async () => {
    const path = await file('links.jsonl', '{"url":"nonsense"}\n'.repeat(30))
    const { code, out } = await run('import', path)
    expect(code).toBe(1)
    expect(out.match(/^ {2}line \d+: /gm)).toHaveLength(10)
    expect(out).toContain('… all 30: GET /v1/imports/imp_')
  })

  it('continues in the service when the command is interrupted, and can be resumed', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${url}${i}\n`)
    const path = await file('many.csv', `url\n${lines.join('')}`)
    const first = start('import', path)
    await waitFor('the file to be sent', () => first.errors().includes('Sent'))
    first.child.kill('SIGINT')
    expect(await first.gone).toBe(1)
    const id = idIn(first.errors())
    expect(first.errors()).toContain(`link-service import --resume ${id}`)
    const again = await run('import', '--resume', id, '--json')
    expect(again.code).toBe(0)
    expect(JSON.parse(again.out)).toMatchObject({ id, status: 'finished', created: 5000 })
    expect((await waitForImport(service, id)).created).toBe(5000)
  })

  it('says that the import may have started when the whole file was sent', async () => {
    const silent = await startReceiver(() => undefined)
    const path = await file('sent.csv', `url\n${url}\n`)
    const { child, gone, errors } = spawnService(['import', '--url', `${silent.origin}/api`, path], {
      LINK_SERVICE_TOKEN: service.token,
    })
    await waitFor('the whole file', () => silent.received.length === 1)
    child.kill('SIGINT')
    expect(await gone).toBe(1)
    expect(errors()).toContain('the import may have started')
    await silent.stop()
  })

  it.each([
    [['/nowhere/links.csv'], /^There is no file \/nowhere\/links\.csv/, 1],
    [[], /takes either a file, or --resume/, 2],
    [['x.csv', '--format', 'excel'], /--format .* Allowed choices are csv, ndjson, bitly/, 2],
    [['x.csv', '--on-conflict', 'replace'], /--on-conflict .* Allowed choices are fail, skip, update/, 2],
    [['--resume', 'lnk_1'], /begins with imp_/, 2],
    [
      ['--resume', 'imp_01kaj3v9z4f8hva3x7m2c5d6ne', '--dry-run'],
      /'--resume <id>' cannot be used with option '--dry-run'/,
      2,
    ],
    [['--resume', 'imp_01kaj3v9z4f8hva3x7m2c5d6ne'], /There is no import/, 1],
    [['x.csv', 'y.csv'], /too many arguments/, 2],
  ])('rejects %j', async (args, message, exitCode) => {
    const { code, out, err } = await run('import', ...args)
    expect(code).toBe(exitCode)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })

  it('prints why the service rejected a file', async () => {
    const { code, err } = await run('import', await file('other.csv', 'a,b\n1,2\n'))
    expect(code).toBe(1)
    expect(err).toMatch(/^The columns do not match a supported export/)
  })
})

describe('export', () => {
  it('writes only the links to standard output', async () => {
    const csv = await run('export')
    expect({ code: csv.code, err: csv.err }).toEqual({ code: 0, err: '' })
    expect(csv.out.split('\r\n')[0]).toMatch(/^url,slug,title,/)
    expect(csv.out).toContain('cmd-1')
    const { out } = await run('export', '--format', 'ndjson')
    const [count] = await service.db.query<{ count: number }>('SELECT count(*)::int AS count FROM links')
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).slug),
    ).toHaveLength(count!.count)
  })

  it('rejects a token without links:read', async () => {
    const { token } = await service.mint('links:write')
    const { code, out, err } = await run('export', '--token', token)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/links:read/)
  })
})

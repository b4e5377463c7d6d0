/** The built program at a shell: what it prints, where, and how it ends. */
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import { spawnService, startProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service start '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(args: string[], env: Record<string, string> = {}, cwd?: string) {
  const { gone, output, errors } = spawnService(
    args,
    { LOG_LEVEL: 'warn', DATA_DIR: join(folder, 'data'), ...env },
    cwd,
  )
  return { code: await gone, out: output(), err: errors() }
}

/** One plain line, not 0, nothing on standard output. */
function expectRefusal(
  result: { code: number | null; out: string; err: string },
  says: RegExp,
  code = 1,
): void {
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toMatch(says)
  expect(result.err.trim().split('\n')).toHaveLength(1)
}

describe('a start that cannot go on', () => {
  it('names every wrong setting at once', async () => {
    const wrong = {
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      TRUST_PROXY: 'everyone',
      RATE_LIMIT: '-1',
    }
    const result = await run([], wrong)
    expectRefusal(result, /^Invalid settings: /)
    for (const name of [...Object.keys(wrong), 'TOKEN_PEPPER', 'ENCRYPTION_KEY'])
      expect(result.err).toContain(name)
  })

  it('says that the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    const { port } = other.address() as AddressInfo
    const result = await run([], { PORT: String(port) })
    other.close()
    expectRefusal(result, new RegExp(`^Port ${port} is already in use\\. .*PORT`))
  })

  it('says that the data folder is in use', async () => {
    const running = await startProcess({ DATA_DIR: join(folder, 'used') })
    expectRefusal(
      await run([], { PORT: '0', DATA_DIR: join(folder, 'used') }),
      /in use by another running instance.*DATA_DIR/,
    )
    expect(await running.stop()).toBe(0)
  })

  it('says that the data folder is no folder', async () => {
    await writeFile(join(folder, 'file'), '')
    expectRefusal(await run([], { PORT: '0', DATA_DIR: join(folder, 'file') }), /file/)
  })

  it('says that the database cannot be reached', async () => {
    const env = {
      DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/x',
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
    }
    const result = await run([], env)
    expectRefusal(result, /DATABASE_URL cannot be reached/)
    expect(result.err).not.toContain('secret-word')
  })

  it('says what is wrong with a command', async () => {
    await run(['migrate'])
    expectRefusal(await run(['token', 'create']), /--name/, 2)
    expectRefusal(
      await run(['token', 'create', '--name', 'a', '--scopes', 'links:read,all']),
      /Unknown scopes: all\. Valid scopes: tokens:read/,
      2,
    )
    expectRefusal(await run(['token', 'create', '--name', 'a', '--expires-in', '30']), /--expires-in/, 2)
    expectRefusal(
      await run(['token', 'create', '--name', 'a', '--workspace', 'nobody']),
      /no workspace nobody/,
    )
    expectRefusal(await run(['token', 'revoke', 'tok_x']), /no token tok_x/)
    expectRefusal(await run(['token', 'list', '--colour']), /colour/, 2)
    expectRefusal(await run(['migrate', '--json']), /unknown option '--json'/, 2)
    expectRefusal(await run(['token', 'revoke']), /missing required argument 'id'/, 2)
    const unknown = await run(['serve'])
    expect(unknown.err).toMatch(/^error: unknown command 'serve'/)
    expect(unknown.code).toBe(2)
  })
})

describe('a command about tokens or workspaces, run where the service is not', () => {
  const commands = [
    ['token', 'create', '--name', 'ci', '--json'],
    ['token', 'list'],
    ['token', 'revoke', 'tok_01h455vb4pex5vsknk084sn02q'],
    ['workspace', 'create', 'marketing'],
    ['workspace', 'list', '--json'],
  ]

  it.each(commands)('%s %s says so, says what to do, and makes nothing', async (...args) => {
    const elsewhere = await mkdtemp(join(folder, 'elsewhere '))
    // The default, ./data.
    const result = await run(args, { DATA_DIR: '' }, elsewhere)
    expectRefusal(
      result,
      /^There is no database in .*elsewhere.*\/data\b.* DATA_DIR .*DATABASE_URL.* start it first/,
    )
    expect(await readdir(elsewhere)).toEqual([])

    await mkdir(join(elsewhere, 'data'))
    expectRefusal(await run(args, { DATA_DIR: '' }, elsewhere), /^There is no database in /)
    expect(await readdir(join(elsewhere, 'data'))).toEqual([])
  })

  it('says so too of a folder in which a file or something else stands', async () => {
    const odd = await mkdtemp(join(folder, 'odd '))
    await writeFile(join(odd, 'data'), '')
    expectRefusal(await run(['token', 'list'], { DATA_DIR: '' }, odd), /is not a folder/)
  })

  it('says in which data folder it made something', async () => {
    const env = { DATA_DIR: join(folder, 'told') }
    await run(['migrate'], env)
    expect((await run(['token', 'create', '--name', 'ci'], env)).out).toContain(`Using ${env.DATA_DIR}:`)
    expect((await run(['workspace', 'create', 'marketing'], env)).out).toContain(`Using ${env.DATA_DIR}:`)
    await access(join(env.DATA_DIR, 'postgres'))
  })
})

describe('the commands', () => {
  beforeAll(() => run(['migrate']))

  it('work without a running service, and print JSON and nothing else when asked', async () => {
    const made = await run([
      'token',
      'create',
      '--name',
      'ci',
      '--scopes',
      'links:read',
      '--expires-in',
      '30d',
      '--json',
    ])
    expect(made).toMatchObject({ code: 0, err: '' })
    const token = JSON.parse(made.out)
    expect(token).toMatchObject({
      name: 'ci',
      scopes: ['links:read'],
      created_by: null,
      token: expect.stringMatching(/^lsk_live_/),
    })

    const listed = JSON.parse((await run(['token', 'list', '--json'])).out)
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([token.id])
    expect((await run(['token', 'revoke', token.id])).code).toBe(0)
    expect(JSON.parse((await run(['token', 'list', '--json'])).out).data).toEqual([])
  })

  it('make workspaces, each with its own tokens', async () => {
    const made = JSON.parse((await run(['workspace', 'create', 'marketing', '--json'])).out)
    expect(made).toEqual({
      id: expect.stringMatching(/^wsp_/),
      name: 'marketing',
      created_at: expect.any(String),
    })
    expectRefusal(await run(['workspace', 'create', 'marketing']), /A workspace "marketing" already exists/)
    const names = JSON.parse((await run(['workspace', 'list', '--json'])).out).data.map(
      ({ name }: { name: string }) => name,
    )
    expect(names.sort()).toEqual(['default', 'marketing'])
  })

  it('work beside a running service, which sees what they did at once', async () => {
    const running = await startProcess({ DATA_DIR: join(folder, 'beside') })
    const beside = { DATA_DIR: join(folder, 'beside') }
    const made = JSON.parse((await run(['token', 'create', '--name', 'ci', '--json'], beside)).out)
    const self = () => call(running.origin, 'GET', '/v1/auth/token/self', { token: made.token })
    expect((await self()).status).toBe(200)
    expect((await run(['token', 'revoke', made.id], beside)).code).toBe(0)
    expect((await self()).body.code).toBe('token_revoked')
    expect(await running.stop()).toBe(0)
  })

  it('migrate a database of its own, without which a start refuses', async () => {
    const db = await createDatabase()
    const env = { DATABASE_URL: db.url, TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey, PORT: '0' }
    await db.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)')
    expectRefusal(await run([], env), /pending migrations.*npm run migrate/)
    await db.query('DROP SCHEMA public CASCADE')
    await db.query('CREATE SCHEMA public')
    expect((await run(['migrate'], env)).out).toMatch(/^Applied: Initial/)
    expect((await run(['migrate'], env)).out).toBe('Nothing to apply.\n')
    await db.drop()
  })

  it('take settings from a .env file, which the environment overrides', async () => {
    const cwd = join(folder, 'cwd')
    await mkdir(cwd)
    await writeFile(join(cwd, '.env'), 'PORT=nonsense\nLOG_LEVEL=nonsense\n')
    const result = await run([], { LOG_LEVEL: 'info' }, cwd)
    expectRefusal(result, /PORT must be/)
    expect(result.err).not.toContain('LOG_LEVEL')
  })
})

describe('a service', () => {
  it('prints where it is and its first token once, and stops in order', async () => {
    const env = { DATA_DIR: join(folder, 'ordinary'), LOG_LEVEL: 'info' }
    const first = await startProcess(env)
    expect(first.output()).toMatch(
      /API +http:\/\/localhost:\d+\/api\/v1\n +Docs +http:\/\/localhost:\d+\/docs\n +Pages +http:\/\/localhost:\d+\/dashboard .*\n +Data +\//,
    )
    expect(first.firstToken).toMatch(/^lsk_live_/)
    expect(first.errors()).not.toContain(first.firstToken)
    expect(await first.stop()).toBe(0)
    const pid = await readFile(join(folder, 'ordinary/postgres/postmaster.pid'), 'utf8').catch(() => null)
    expect(pid).toBeNull()

    const second = await startProcess(env)
    expect(second.firstToken).toBeNull()
    expect(
      (await call(second.origin, 'GET', '/v1/auth/token/self', { token: first.firstToken })).status,
    ).toBe(200)
    expect(await second.stop()).toBe(0)
  })

  it('prints how to create a token when PRINT_FIRST_TOKEN is false, until there is one', async () => {
    const env = { DATA_DIR: join(folder, 'silent'), PRINT_FIRST_TOKEN: 'false' }
    const hint = 'There is no API token yet. Create one: link-service token create --name NAME'
    const first = await startProcess(env)
    expect(first.output()).toContain(hint)
    expect(first.output() + first.errors()).not.toMatch(/lsk_|#code=/)
    const created = await run(['token', 'create', '--name', 'operator', '--json'], env)
    const { token } = JSON.parse(created.out) as { token: string }
    expect((await call(first.origin, 'GET', '/v1/auth/token/self', { token })).status).toBe(200)
    expect(await first.stop()).toBe(0)
    const second = await startProcess(env)
    expect(second.output()).not.toContain(hint)
    expect(await second.stop()).toBe(0)
  })

  it('names the port that it got in whatever it answers', async () => {
    const running = await startProcess({ DATA_DIR: join(folder, 'port') })
    const printed = /API +(\S+)\/api\/v1\n/.exec(running.output())![1]!
    const typeAt = async (path: string) => {
      const answer = await fetch(running.origin + path, { headers: { accept: 'application/json' } })
      return ((await answer.json()) as { type: string }).type
    }
    expect(await typeAt('/no-such-link')).toBe(`${printed}/errors/not_found`)
    expect(await typeAt('/api/v1/links')).toBe(`${printed}/errors/unauthorized`)
    await running.stop()
  })

  it('finishes the requests that run when it is told to stop', async () => {
    const running = await startProcess({ DATA_DIR: join(folder, 'busy') })
    const token = running.firstToken
    const answers = Array.from({ length: 20 }, (_, i) =>
      call(running.origin, 'POST', '/v1/auth/token', {
        token,
        body: { name: `t${i}`, scopes: ['links:read'] },
      }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    await Promise.race(answers)
    expect(await running.stop()).toBe(0)
    for (const answer of await Promise.all(answers)) expect([201, 'refused']).toContain(answer)
  })
})

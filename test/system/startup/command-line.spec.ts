/** The output and exit codes of the built program. */
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { createDatabase } from '../../support/database.js'
import { spawnService, startProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service start '))
  await copyDataFolder(join(folder, 'data'))
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

/** Expects an exit code other than 0, one line on standard error, and nothing on standard output. */
function expectError(
  result: { code: number | null; out: string; err: string },
  message: RegExp,
  code = 1,
): void {
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toMatch(message)
  expect(result.err.trim().split('\n')).toHaveLength(1)
}

describe('a failed start', () => {
  it('names all invalid settings in one message', async () => {
    const wrong = {
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      TRUST_PROXY: 'everyone',
      RATE_LIMIT: '-1',
    }
    const result = await run([], wrong)
    expectError(result, /^Invalid settings: /)
    for (const name of [...Object.keys(wrong), 'TOKEN_PEPPER', 'ENCRYPTION_KEY'])
      expect(result.err).toContain(name)
  })

  it('reports that the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    const { port } = other.address() as AddressInfo
    const result = await run([], { PORT: String(port) })
    other.close()
    expectError(result, new RegExp(`^Port ${port} is already in use\\. .*PORT`))
  })

  it('reports that the data folder is in use', async () => {
    await copyDataFolder(join(folder, 'used'))
    const running = await startProcess({ DATA_DIR: join(folder, 'used') })
    expectError(
      await run([], { PORT: '0', DATA_DIR: join(folder, 'used') }),
      /in use by another running instance.*DATA_DIR/,
    )
    expect(await running.stop()).toBe(0)
  })

  it('reports that the data folder is a file', async () => {
    await writeFile(join(folder, 'file'), '')
    expectError(await run([], { PORT: '0', DATA_DIR: join(folder, 'file') }), /file/)
  })

  it('reports that the database cannot be reached', async () => {
    const env = {
      DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/x',
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
    }
    const result = await run([], env)
    expectError(result, /DATABASE_URL cannot be reached/)
    expect(result.err).not.toContain('secret-word')
  })

  it('explains invalid options of a command', async () => {
    const rejected: [string[], RegExp, number][] = [
      [['token', 'create'], /--name/, 2],
      [
        ['token', 'create', '--name', 'a', '--scopes', 'links:read,all'],
        /Unknown scopes: all\. Valid scopes: tokens:read/,
        2,
      ],
      [['token', 'create', '--name', 'a', '--expires-in', '30'], /--expires-in/, 2],
      [['token', 'create', '--name', 'a', '--workspace', 'missing'], /Workspace "missing" was not found/, 1],
      [['token', 'revoke', 'tok_x'], /Token tok_x was not found/, 1],
      [['token', 'list', '--colour'], /colour/, 2],
      [['migrate', '--json'], /unknown option '--json'/, 2],
      [['token', 'revoke'], /missing required argument 'id'/, 2],
    ]
    await Promise.all(
      rejected.map(async ([args, message, code]) => {
        expectError(await run(args), message, code)
      }),
    )
    const unknown = await run(['serve'])
    expect(unknown.err).toMatch(/^error: unknown command 'serve'/)
    expect(unknown.code).toBe(2)
  })
})

describe('a token or workspace command without a database', () => {
  const commands = [
    ['token', 'create', '--name', 'ci', '--json'],
    ['token', 'list'],
    ['token', 'revoke', 'tok_01h455vb4pex5vsknk084sn02q'],
    ['workspace', 'create', 'marketing'],
    ['workspace', 'list', '--json'],
  ]

  it.each(commands)('%s %s says how to fix this, and creates nothing', async (...args) => {
    const emptyFolder = await mkdtemp(join(folder, 'elsewhere '))
    // An empty DATA_DIR stands for the default, ./data.
    const result = await run(args, { DATA_DIR: '' }, emptyFolder)
    expectError(
      result,
      /^There is no database in .*elsewhere.*\/data\b.* DATA_DIR .*DATABASE_URL.* start it first/,
    )
    expect(await readdir(emptyFolder)).toEqual([])
  })

  it('creates nothing in an empty data folder', async () => {
    const parent = await mkdtemp(join(folder, 'parent '))
    await mkdir(join(parent, 'data'))
    expectError(await run(['token', 'list'], { DATA_DIR: '' }, parent), /^There is no database in /)
    expect(await readdir(join(parent, 'data'))).toEqual([])
  })

  it('reports a file in place of the data folder', async () => {
    const parent = await mkdtemp(join(folder, 'parent '))
    await writeFile(join(parent, 'data'), '')
    expectError(await run(['token', 'list'], { DATA_DIR: '' }, parent), /there is a file in its path/)
  })

  it('prints the data folder in which it created an object', async () => {
    const env = { DATA_DIR: join(folder, 'printed') }
    await copyDataFolder(env.DATA_DIR)
    const created = await Promise.all([
      run(['token', 'create', '--name', 'ci'], env),
      run(['workspace', 'create', 'marketing'], env),
    ])
    for (const { out } of created) expect(out).toContain(`Using ${env.DATA_DIR}:`)
    await access(join(env.DATA_DIR, 'postgres'))
  })
})

describe('the commands', () => {
  it('migrate an empty data folder', async () => {
    const env = { DATA_DIR: join(folder, 'empty') }
    expect(await run(['migrate'], env)).toMatchObject({ code: 0 })
    expect(JSON.parse((await run(['workspace', 'list', '--json'], env)).out).data).toHaveLength(1)
  })

  it('work without a running service, and print only JSON with --json', async () => {
    const created = await run([
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
    expect(created).toMatchObject({ code: 0, err: '' })
    const token = JSON.parse(created.out)
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

  it('create and list workspaces', async () => {
    const created = JSON.parse((await run(['workspace', 'create', 'marketing', '--json'])).out)
    expect(created).toEqual({
      id: expect.stringMatching(/^wsp_/),
      name: 'marketing',
      created_at: expect.any(String),
    })
    expectError(
      await run(['workspace', 'create', 'marketing']),
      /A workspace named "marketing" already exists/,
    )
    const names = JSON.parse((await run(['workspace', 'list', '--json'])).out).data.map(
      ({ name }: { name: string }) => name,
    )
    expect(names.sort()).toEqual(['default', 'marketing'])
  })

  it('work while a service runs, which applies their changes immediately', async () => {
    await copyDataFolder(join(folder, 'shared'))
    const running = await startProcess({ DATA_DIR: join(folder, 'shared') })
    const shared = { DATA_DIR: join(folder, 'shared') }
    const created = JSON.parse((await run(['token', 'create', '--name', 'ci', '--json'], shared)).out)
    const self = () => call(running.origin, 'GET', '/v1/auth/token/self', { token: created.token })
    expect((await self()).status).toBe(200)
    expect((await run(['token', 'revoke', created.id], shared)).code).toBe(0)
    expect((await self()).body.code).toBe('token_revoked')
    expect(await running.stop()).toBe(0)
  })

  it('migrate an external database, without which the service does not start', async () => {
    const db = await createDatabase()
    const env = { DATABASE_URL: db.url, TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey, PORT: '0' }
    await db.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)')
    expectError(await run([], env), /pending migrations.*npm run migrate/)
    await db.query('DROP SCHEMA public CASCADE')
    await db.query('CREATE SCHEMA public')
    expect((await run(['migrate'], env)).out).toMatch(/^Applied: Initial/)
    expect((await run(['migrate'], env)).out).toBe('Nothing to apply.\n')
    await db.drop()
  })

  it('report in one line that the role lacks a privilege for migrations', async () => {
    const db = await createDatabase()
    const env = { DATABASE_URL: db.url, TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey, PORT: '0' }
    const reason = /^The role in DATABASE_URL lacks a privilege: permission denied for (?:schema|database) /
    await db.query('DROP SCHEMA bullmq CASCADE')
    await db.query(`REVOKE CREATE ON DATABASE ${new URL(db.url).pathname.slice(1)} FROM current_user`)
    expectError(await run(['migrate'], env), reason)
    await db.query('DROP TABLE migrations')
    await db.query('REVOKE CREATE ON SCHEMA public FROM pg_database_owner, PUBLIC')
    expectError(await run(['migrate'], env), reason)
    expectError(await run([], env), reason)
    await db.drop()
  })

  it('take settings from a .env file, which the environment overrides', async () => {
    const cwd = join(folder, 'cwd')
    await mkdir(cwd)
    await writeFile(join(cwd, '.env'), 'PORT=nonsense\nLOG_LEVEL=nonsense\n')
    const result = await run([], { LOG_LEVEL: 'info' }, cwd)
    expectError(result, /PORT must be/)
    expect(result.err).not.toContain('LOG_LEVEL')
  })

  it('report in one line that the .env file cannot be read', async () => {
    const cwd = join(folder, 'unreadable')
    await mkdir(join(cwd, '.env'), { recursive: true })
    expectError(await run(['token', 'list'], {}, cwd), /^The file .*\.env cannot be read \(EISDIR\)\. /)
  })
})

describe('a service', () => {
  it('prints its URLs and its first token once, and stops cleanly', async () => {
    const env = { DATA_DIR: join(folder, 'ordinary'), LOG_LEVEL: 'info' }
    const first = await startProcess(env)
    expect(first.output()).toMatch(
      /API +http:\/\/localhost:\d+\/api\/v1\n +Docs +http:\/\/localhost:\d+\/docs\n +Dashboard +http:\/\/localhost:\d+\/dashboard .*\n +Data +\//,
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

  it('prints how to create a token when PRINT_FIRST_TOKEN is false, until a token exists', async () => {
    const env = { DATA_DIR: join(folder, 'silent'), PRINT_FIRST_TOKEN: 'false' }
    await copyDataFolder(env.DATA_DIR)
    const hint = 'There is no API token yet. Create one: npx --no link-service token create --name NAME'
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

  it('uses its actual port in the URLs of responses', async () => {
    await copyDataFolder(join(folder, 'port'))
    const running = await startProcess({ DATA_DIR: join(folder, 'port') })
    const printed = /API +(\S+)\/api\/v1\n/.exec(running.output())![1]!
    const typeAt = async (path: string) => {
      const response = await fetch(running.origin + path, { headers: { accept: 'application/json' } })
      return ((await response.json()) as { type: string }).type
    }
    expect(await typeAt('/no-such-link')).toBe(`${printed}/errors/not_found`)
    expect(await typeAt('/api/v1/links')).toBe(`${printed}/errors/unauthorized`)
    await running.stop()
  })

  it('finishes requests in flight before it stops', async () => {
    await copyDataFolder(join(folder, 'busy'))
    const running = await startProcess({ DATA_DIR: join(folder, 'busy') })
    const token = running.firstToken
    const responses = Array.from({ length: 20 }, (_, i) =>
      call(running.origin, 'POST', '/v1/auth/token', {
        token,
        body: { name: `t${i}`, scopes: ['links:read'] },
      }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    await Promise.race(responses)
    expect(await running.stop()).toBe(0)
    for (const response of await Promise.all(responses)) expect([201, 'refused']).toContain(response)
  })
})

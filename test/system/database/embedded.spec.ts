/** The default database, with real servers and real processes on folders of their own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { DatabaseHolder } from '../../support/database-holder.js'
import { waitFor } from '../../support/wait-for.js'

const asRoot = process.getuid?.() === 0
if (!asRoot)
  process.stderr.write(
    'Skipped: what starts a server for another user, or gives files away. Only root can.\n',
  )
const itAsRoot = asRoot ? it : it.skip
const nobody = { uid: 65_534, gid: 65_534 }

let root: string
let dataDir: string
let holders: DatabaseHolder[]
let servers: Set<number>

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'link service ü '))
  await chmod(root, 0o755)
  dataDir = join(root, 'data')
  holders = []
  servers = new Set()
})

afterEach(async () => {
  for (const holder of holders) await holder.kill()
  const left = [...servers].filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  await rm(root, { recursive: true, force: true, maxRetries: 10 })
  expect(left).toEqual([])
})

function hold(use: 'service' | 'command', user?: typeof nobody): DatabaseHolder {
  const holder = new DatabaseHolder(dataDir, use, user)
  holders.push(holder)
  return holder
}

async function serverPid(): Promise<number> {
  const pid = parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'))
  servers.add(pid)
  return pid
}

/** A server whose starter was killed is left to process 1, which may take its time to collect it: that one is dead too. */
function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

async function sql<T>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows as T[]
  } finally {
    await client.end().catch(() => undefined)
  }
}

const asSuperuser = (url: string) => url.replaceAll('link_service', 'postgres')

/** Opens and closes once, for tests that are about a folder with a database in it. */
async function makeDatabase(): Promise<void> {
  const holder = hold('service')
  await holder.url()
  await serverPid()
  await holder.release()
}

describe('the embedded database', () => {
  it('makes itself at the first start and stops with its only user', async () => {
    const holder = hold('service')
    const url = await holder.url()
    const pid = await serverPid()
    const [row] = await sql(
      url,
      `select current_user, current_database(), current_setting('server_encoding') as encoding,
        current_setting('data_checksums') as checksums, current_setting('listen_addresses') as addresses,
        current_setting('is_superuser') as superuser`,
    )
    expect(row).toEqual({
      current_user: 'link_service',
      current_database: 'link_service',
      encoding: 'UTF8',
      checksums: 'on',
      addresses: '127.0.0.1',
      superuser: 'off',
    })
    expect(((await stat(join(dataDir, 'secrets'))).mode & 0o777).toString(8)).toBe('700')
    expect(((await stat(join(dataDir, 'secrets/postgres-password'))).mode & 0o777).toString(8)).toBe('600')
    await holder.release()
    expect(isAlive(pid)).toBe(false)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'secrets'])
  })

  it('keeps what was committed when its user is killed, and is taken over by the next', async () => {
    const first = hold('service')
    await sql(await first.url(), 'create table kept (round int)')
    await serverPid()
    let holder = first
    for (const round of [1, 2, 3, 4]) {
      await holder.kill()
      holder = hold('service')
      await sql(await holder.url(), `insert into kept values (${round})`)
    }
    await holder.kill()
    // Now the server as well: the next one recovers from its log of changes.
    const pid = await serverPid()
    process.kill(pid, 'SIGKILL')
    holder = hold('service')
    expect(await sql(await holder.url(), 'select round from kept order by round')).toEqual(
      [1, 2, 3, 4].map((round) => ({ round })),
    )
    expect(await serverPid()).not.toBe(pid)
    await holder.release()
  })

  it('starts beside a stale postmaster.pid whose process id belongs to somebody else', async () => {
    await makeDatabase()
    const file = join(dataDir, 'postgres/postmaster.pid')
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    const stranger = spawn('sleep', ['60'], { cwd: '/', uid, gid })
    await once(stranger, 'spawn')
    try {
      for (const content of [
        `${stranger.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n\nready\n`,
        '',
        '1\nx\n',
      ]) {
        await writeFile(file, content)
        const holder = hold('service')
        await holder.url()
        expect(await serverPid()).not.toBe(stranger.pid)
        await holder.release()
      }
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  it('says so when another instance uses the folder, and leaves that one alone', async () => {
    const first = hold('service')
    const url = await first.url()
    await serverPid()
    const started = Date.now()
    expect(await hold('service').next()).toEqual({
      step: 'failed',
      name: 'StartupError',
      message: `The data folder ${dataDir} is in use by another running instance. Stop it, or set DATA_DIR to another folder.`,
    })
    expect(Date.now() - started).toBeLessThan(8_000)
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.release()
  })

  it('is shared by a service and commands; the last to leave turns it off', async () => {
    const service = hold('service')
    const url = await service.url()
    const pid = await serverPid()
    const passing = hold('command')
    expect(await passing.url()).toBe(url)
    await passing.release()
    expect(isAlive(pid)).toBe(true)
    const staying = hold('command')
    await staying.url()
    await service.release()
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await staying.release()
    expect(isAlive(pid)).toBe(false)
  })

  it('comes up for everybody who starts and leaves at the same moments', async () => {
    for (let round = 0; round < 3; round++)
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const holder = hold('command')
          await holder.url()
          await serverPid()
          await holder.release()
        }),
      )
    await expect(serverPid()).rejects.toThrow('ENOENT')
  })

  it('gives a fresh folder to one of two services that start together', async () => {
    const [one, other] = [hold('service'), hold('service')]
    const steps = await Promise.all([one.next(), other.next()])
    await serverPid()
    expect(steps.map(({ step }) => step).sort()).toEqual(['failed', 'open'])
    expect(steps.find(({ step }) => step === 'failed')?.message).toMatch('in use by another running instance')
    await Promise.all([one.release(), other.release()])
  })

  it('begins anew when the first start was killed half-way', async () => {
    const first = hold('service')
    const begun = async () =>
      (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('postgres.init-'))
    await waitFor('the database being made', begun)
    await first.kill()
    expect(await readdir(dataDir)).not.toContain('postgres')
    await makeDatabase()
    expect(await begun()).toBe(false)
  })

  it('holds on to the folder when only its connection is cut', async () => {
    const holder = hold('service')
    const url = await holder.url()
    await serverPid()
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%locks%'`
    expect(await sql(asSuperuser(url), cut)).toHaveLength(1)
    expect((await hold('service').next()).message).toMatch('in use by another running instance')
    await holder.release()
  })

  it('tells its user when the server is gone, and recovers at the next start', async () => {
    const holder = hold('service')
    await holder.url()
    process.kill(await serverPid(), 'SIGKILL')
    expect(await holder.next()).toMatchObject({ step: 'lost' })
    await holder.release()
    await makeDatabase()
  })
})

describe('a database whose users were killed', () => {
  const sessions = (name: string) => `pg_stat_activity where application_name like 'link-service ${name} %'`

  async function expectToEnd(pid: number): Promise<void> {
    await waitFor('the server to end by itself', () => !isAlive(pid), 20_000)
    await expect(serverPid()).rejects.toThrow('ENOENT')
    await makeDatabase()
  }

  it('ends by itself within seconds, in order, and the next start has it all', async () => {
    const holder = hold('service')
    await sql(await holder.url(), 'create table kept (n int)')
    const pid = await serverPid()
    await holder.kill()
    await waitFor('the server to end by itself', () => !isAlive(pid), 20_000)
    await expect(serverPid()).rejects.toThrow('ENOENT')
    const next = hold('service')
    expect(await sql(await next.url(), 'select n from kept')).toEqual([])
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch('was not properly shut down')
    await next.release()
  })

  it('ends by itself when it was a command that was killed', async () => {
    const holder = hold('command')
    await holder.url()
    const pid = await serverPid()
    await holder.kill()
    await expectToEnd(pid)
  })

  it('stays while one of them is left, whoever started it', async () => {
    const [service, command] = [hold('service'), hold('command')]
    const url = await service.url()
    expect(await command.url()).toBe(url)
    const pid = await serverPid()
    await service.kill()
    const started = Date.now()
    await waitFor('more than it waits for', () => Date.now() - started > 7_000)
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await command.kill()
    await expectToEnd(pid)
  })

  it.each(['terminated', 'killed'])('ends by itself though its own watch was %s before', async (how) => {
    const holder = hold('service')
    const url = asSuperuser(await holder.url())
    const pid = await serverPid()
    const watches = () => sql<{ pid: number }>(url, `select pid from ${sessions('watch')}`).catch(() => [])
    const [watch] = await watches()
    if (how === 'killed') process.kill(watch!.pid, 'SIGKILL')
    else await sql(url, `select pg_terminate_backend(pid) from ${sessions('watch')}`)
    await waitFor('another watch', async () => (await watches()).some(({ pid }) => pid !== watch!.pid))
    await waitFor(
      'the lock session to be back',
      async () => (await sql(url, `select from ${sessions('locks')}`).catch(() => [])).length === 1,
    )
    await holder.kill()
    await expectToEnd(pid)
  })

  it('ends by itself though its lock session was cut at the same moment', async () => {
    const holder = hold('service')
    const url = asSuperuser(await holder.url())
    const pid = await serverPid()
    await sql(url, `select pg_terminate_backend(pid) from ${sessions('locks')}`)
    await holder.kill()
    await expectToEnd(pid)
  })

  it('has one watch, and no transaction that stays open', async () => {
    const service = hold('service')
    const url = asSuperuser(await service.url())
    await serverPid()
    for (let i = 0; i < 3; i++) {
      const passing = hold('command')
      await passing.url()
      await passing.release()
    }
    const begun = () =>
      sql<{ began: string }>(url, `select xact_start::text as began from ${sessions('watch')}`)
    const before = await begun()
    expect(before).toHaveLength(1)
    await waitFor('the watch to commit', async () => (await begun())[0]!.began !== before[0]!.began)
    await service.release()
  })
})

describe('a folder that is not as it should be', () => {
  itAsRoot('may be closed to everybody but root', async () => {
    await chmod(root, 0o700)
    await makeDatabase()
    await makeDatabase()
  })

  itAsRoot('may have been copied by root', async () => {
    await makeDatabase()
    for (const name of await readdir(join(dataDir, 'postgres'), { recursive: true }))
      await chown(join(dataDir, 'postgres', name), 0, 0)
    await chown(join(dataDir, 'postgres'), 0, 0)
    await makeDatabase()
  })

  it('works for an ordinary user', async () => {
    await mkdir(dataDir)
    if (asRoot) await chown(dataDir, nobody.uid, nobody.gid)
    const holder = hold('service', asRoot ? nobody : undefined)
    await holder.url()
    await serverPid()
    await holder.release()
  })

  it('is named in one line when it cannot be written', async () => {
    await mkdir(dataDir, { mode: 0o500 })
    const step = await hold('service', asRoot ? nobody : undefined).next()
    expect(step).toMatchObject({ step: 'failed', name: 'StartupError' })
    expect(step.message).toMatch(
      /^The data folder .* cannot be used by this user \(.*\)\. Give it to them.*\.$/,
    )
  })

  it('is named in one line when it is a file', async () => {
    await writeFile(dataDir, '')
    expect(await hold('service').next()).toEqual({
      step: 'failed',
      name: 'StartupError',
      message: `The data folder ${dataDir} is not a folder. Move that file away, or set DATA_DIR to another folder.`,
    })
  })

  it('is refused when it is of another major version, or holds something else, or lost its password', async () => {
    await makeDatabase()
    const failure = async () => (await hold('service').next()).message
    const version = await readFile(join(dataDir, 'postgres/PG_VERSION'))
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '15\n')
    expect(await failure()).toMatch(/is of PostgreSQL 15, this service brings \d+\. /)
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), version)

    const secret = join(dataDir, 'secrets/postgres-password')
    const password = await readFile(secret)
    await rm(secret)
    expect(await failure()).toMatch(/password .* is missing\. Put .* back from a backup\.$/)
    await writeFile(secret, 'another')
    expect(await failure()).toMatch(/does not accept the password/)
    await expect(serverPid()).rejects.toThrow('ENOENT')
    await writeFile(secret, password)
    await makeDatabase()

    await rm(join(dataDir, 'postgres/PG_VERSION'))
    expect(await failure()).toMatch(/holds something that is not a database/)
  })
})

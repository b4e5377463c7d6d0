/** The default database, with real servers and real processes on folders of their own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { findBinaries } from '../../../src/platform/database/embedded/binaries.js'
import { copyDataFolder } from '../../support/data-folder.js'
import { DatabaseHolder } from '../../support/database-holder.js'
import { freePort } from '../../support/free-port.js'
import { waitFor } from '../../support/wait-for.js'

const asRoot = process.getuid?.() === 0
if (!asRoot)
  process.stderr.write(
    'Skipped: tests that start a server for another user or change owners. They need root.\n',
  )
const itAsRoot = asRoot ? it : it.skip
const nobody = { uid: 65_534, gid: 65_534 }

let root: string
let dataDir: string
let holders: DatabaseHolder[]
/** All servers and supervisors that a test has seen. */
let processes: Set<number>

beforeEach(enterNewFolder)
afterEach(async () => {
  for (const holder of holders) await holder.kill()
  try {
    await waitFor('all servers and supervisors to end', () => ![...processes].some(isAlive), 10_000)
  } finally {
    for (const pid of [...processes].filter(isAlive)) process.kill(pid, 'SIGKILL')
    await rm(root, { recursive: true, force: true, maxRetries: 10 })
  }
})

async function enterNewFolder(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), 'link service ü '))
  await chmod(root, 0o755)
  dataDir = join(root, 'data')
  holders = []
  processes = new Set()
}

function hold(use: 'service' | 'command', user?: typeof nobody): DatabaseHolder {
  const holder = new DatabaseHolder(dataDir, use, user)
  holders.push(holder)
  return holder
}

async function serverPid(): Promise<number> {
  const pid = parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'))
  processes.add(pid)
  processes.add(getParentPid(pid))
  return pid
}

function getParentPid(pid: number): number {
  return Number(ps('ppid', pid))
}

/** A killed process without a parent may stay as a zombie until process 1 collects it. */
function isAlive(pid: number): boolean {
  const state = ps('state', pid)
  return pid > 1 && state !== '' && !state.startsWith('Z')
}

function ps(what: string, pid: number): string {
  return spawnSync('ps', ['-o', `${what}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
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

/** Opens and closes once, which creates a database where there is none. */
async function startOnce(): Promise<void> {
  const holder = hold('service')
  await holder.url()
  await serverPid()
  await holder.release()
}

const copyDatabase = () => copyDataFolder(dataDir)

const inUse = () => ({
  step: 'failed',
  name: 'StartupError',
  message: `The data folder ${dataDir} is in use by another running instance. Stop it, or set DATA_DIR to another folder.`,
})

describe('the embedded database', () => {
  it('is created by the first start and stops with its only user', async () => {
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
    expect(ps('uid', pid)).not.toBe('0')
    const getFileMode = async (name: string) => ((await stat(join(dataDir, name))).mode & 0o777).toString(8)
    expect(await getFileMode('secrets')).toBe('700')
    expect(await getFileMode('secrets/postgres-password')).toBe('600')
    expect(await getFileMode('postgres.supervisor')).toBe('600')
    await holder.release()
    expect(isAlive(pid)).toBe(false)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'secrets'])
  })

  it('keeps committed rows when its users or the server are killed', async () => {
    await copyDatabase()
    let holder = hold('service')
    await sql(await holder.url(), 'create table kept (round int)')
    for (const round of [1, 2, 3]) {
      await holder.kill()
      holder = hold('service')
      await sql(await holder.url(), `insert into kept values (${round})`)
    }
    const pid = await serverPid()
    process.kill(pid, 'SIGKILL')
    await holder.kill()
    holder = hold('service')
    expect(await sql(await holder.url(), 'select round from kept order by round')).toEqual(
      [1, 2, 3].map((round) => ({ round })),
    )
    expect(await serverPid()).not.toBe(pid)
    await holder.release()
  })

  it('starts beside a stale postmaster.pid whose process ID belongs to another program', async () => {
    await copyDatabase()
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

  it('keeps a second service from starting, without disturbing the first one', async () => {
    await copyDatabase()
    const first = hold('service')
    const url = await first.url()
    await serverPid()
    const started = Date.now()
    expect(await hold('service').next()).toEqual(inUse())
    expect(Date.now() - started).toBeLessThan(8_000)
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.release()
  })

  it('is shared by a service and commands, and stops with the last of them', async () => {
    await copyDatabase()
    const starting = hold('command')
    const url = await starting.url()
    const pid = await serverPid()
    const service = hold('service')
    expect(await service.url()).toBe(url)
    await starting.release()
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    const staying = hold('command')
    expect(await staying.url()).toBe(url)
    await service.release()
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await staying.release()
    expect(isAlive(pid)).toBe(false)
  })

  it('serves four commands that start and end concurrently', async () => {
    for (let round = 0; round < 2; round++)
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

  it('opens a new folder for only one of two services that start concurrently', async () => {
    const [one, other] = [hold('service'), hold('service')]
    const steps = await Promise.all([one.next(), other.next()])
    await serverPid()
    expect(steps.map(({ step }) => step).sort()).toEqual(['failed', 'open'])
    expect(steps.find(({ step }) => step === 'failed')).toEqual(inUse())
    await Promise.all([one.release(), other.release()])
  })

  it('is created again after the first start was killed during initdb', async () => {
    const first = hold('service')
    const begun = async () =>
      (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('postgres.init-'))
    await waitFor('initdb to start', begun)
    await first.kill()
    expect(await readdir(dataDir)).not.toContain('postgres')
    await startOnce()
    expect(await begun()).toBe(false)
  })

  it('keeps running for its users after one of its sessions was killed', async () => {
    await copyDatabase()
    const holder = hold('service')
    const url = await holder.url()
    const pid = await serverPid()
    const [session] = await sql<{ pid: number }>(asSuperuser(url), 'select pg_backend_pid() as pid')
    const victim = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.split('\n')[0]
    expect(Number(victim)).not.toBe(session!.pid)
    process.kill(Number(victim), 'SIGKILL')
    await waitFor('the server to recover', () => sql(url, 'select 1').catch(() => null))
    expect(await serverPid()).toBe(pid)
    expect(await hold('service').next()).toEqual(inUse())
    await holder.release()
    expect(isAlive(pid)).toBe(false)
  })

  it('notifies its user when the server is killed, and recovers at the next start', async () => {
    await copyDatabase()
    const holder = hold('service')
    await holder.url()
    process.kill(await serverPid(), 'SIGKILL')
    expect(await holder.next()).toMatchObject({ step: 'lost' })
    await holder.release()
    await startOnce()
  })
})

describe('the server', () => {
  async function expectNothingLeft(pid: number): Promise<void> {
    await waitFor('the server to end by itself', () => ![...processes].some(isAlive), 20_000)
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
    expect(isAlive(pid)).toBe(false)
    await startOnce()
  }

  it('shuts down cleanly and keeps all rows when the service is killed', async () => {
    await copyDatabase()
    const holder = hold('service')
    await sql(await holder.url(), 'create table kept (n int)')
    const pid = await serverPid()
    await holder.kill()
    await expectNothingLeft(pid)
    const next = hold('service')
    expect(await sql(await next.url(), 'select n from kept')).toEqual([])
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch('was not properly shut down')
    await next.release()
  })

  it('stops when the command is killed', async () => {
    await copyDatabase()
    const holder = hold('command')
    await holder.url()
    const pid = await serverPid()
    await holder.kill()
    await expectNothingLeft(pid)
  })

  it('stops when the service that starts it is killed before it is ready', async () => {
    await copyDatabase()
    const holder = hold('service')
    const pid = await waitFor('the server', () => serverPid().catch(() => null))
    await holder.kill()
    await expectNothingLeft(pid)
  })

  it('keeps running for the other users when the process that started it is killed', async () => {
    await copyDatabase()
    const [service, command] = [hold('service'), hold('command')]
    const url = await service.url()
    expect(await command.url()).toBe(url)
    const pid = await serverPid()
    await service.kill()
    // A third user proves that the supervisor has seen the end of the first one.
    const next = hold('service')
    expect(await next.url()).toBe(url)
    await next.release()
    expect(await sql(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await command.kill()
    await expectNothingLeft(pid)
  })

  it('stops, and its users are notified, when the supervisor is killed', async () => {
    await copyDatabase()
    const [service, command] = [hold('service'), hold('command')]
    await service.url()
    await command.url()
    const pid = await serverPid()
    process.kill(getParentPid(pid), 'SIGKILL')
    expect(await service.next()).toMatchObject({ step: 'lost' })
    expect(await command.next()).toMatchObject({ step: 'lost' })
    await service.release()
    await command.release()
    await expectNothingLeft(pid)
  })

  it('stops when the supervisor and all users are killed', async () => {
    await copyDatabase()
    const holder = hold('service')
    await holder.url()
    const pid = await serverPid()
    process.kill(getParentPid(pid), 'SIGKILL')
    await holder.kill()
    await expectNothingLeft(pid)
  })

  it('is replaced at the next start if it has no supervisor', async () => {
    await copyDatabase()
    const { postgres } = await findBinaries()
    const cluster = join(dataDir, 'postgres')
    const { uid, gid } = await stat(cluster)
    const settings = ['listen_addresses=127.0.0.1', `port=${await freePort()}`, 'unix_socket_directories=']
    const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
    const orphan = spawn(postgres, args, { cwd: '/', uid, gid, stdio: 'ignore' })
    processes.add(orphan.pid!)
    await waitFor('the server', async () =>
      (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).includes('ready'),
    )
    const holder = hold('service')
    await holder.url()
    expect(await serverPid()).not.toBe(orphan.pid)
    await holder.release()
  })
})

describe('a data folder', () => {
  itAsRoot('may be accessible only to root', async () => {
    await chmod(root, 0o700)
    await startOnce()
    await startOnce()
  })

  itAsRoot('may be accessible only to root in a container', async () => {
    await chmod(root, 0o700)
    // Docker's default capabilities do not include this one.
    const holder = new DatabaseHolder(dataDir, 'service', undefined, [
      'setpriv',
      '--bounding-set=-dac_read_search',
    ])
    holders.push(holder)
    await holder.url()
    await serverPid()
    await holder.release()
  })

  itAsRoot('may have been copied by root', async () => {
    await copyDatabase()
    for (const name of await readdir(join(dataDir, 'postgres'), { recursive: true }))
      await chown(join(dataDir, 'postgres', name), 0, 0)
    await chown(join(dataDir, 'postgres'), 0, 0)
    await startOnce()
  })

  it('may belong to an ordinary user', async () => {
    await mkdir(dataDir)
    if (asRoot) await chown(dataDir, nobody.uid, nobody.gid)
    const holder = hold('service', asRoot ? nobody : undefined)
    await holder.url()
    await serverPid()
    await holder.release()
  })

  it('is named in a one-line error if it is not writable', async () => {
    await mkdir(dataDir, { mode: 0o500 })
    const step = await hold('service', asRoot ? nobody : undefined).next()
    expect(step).toMatchObject({ step: 'failed', name: 'StartupError' })
    expect(step.message).toMatch(
      /^The data folder .* cannot be used by this user \(.*\)\. Change its owner.*\.$/,
    )
  })

  it('is named in a one-line error if it is a file', async () => {
    await writeFile(dataDir, '')
    expect(await hold('service').next()).toEqual({
      step: 'failed',
      name: 'StartupError',
      message: `The data folder ${dataDir} cannot be created, because there is a file in its path. Move the file, or set DATA_DIR to another folder.`,
    })
  })

  it('is rejected if it has another major version, other files or the wrong password', async () => {
    await copyDatabase()
    const failure = async () => (await hold('service').next()).message
    const version = await readFile(join(dataDir, 'postgres/PG_VERSION'))
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '15\n')
    expect(await failure()).toMatch(/was created by PostgreSQL 15, but this service includes \d+\. /)
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), version)

    const secret = join(dataDir, 'secrets/postgres-password')
    const password = await readFile(secret)
    await rm(secret)
    expect(await failure()).toMatch(/password .* is missing\. Restore .* from a backup\.$/)
    await writeFile(secret, 'another')
    expect(await failure()).toMatch(/does not accept the password/)
    await expect(serverPid()).rejects.toThrow('ENOENT')
    await writeFile(secret, password)
    await startOnce()

    await rm(join(dataDir, 'postgres/PG_VERSION'))
    expect(await failure()).toMatch(/contains files that are not a database/)
  })
})

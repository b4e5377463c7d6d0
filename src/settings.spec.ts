import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { effectiveSettings } from './platform/config/effective-settings.js'
import { allSettings } from './settings.js'
import { readSettings } from './platform/config/env.js'

const secrets = {
  databaseUrl: 'postgres://u:hunter2@db/x',
  tokenPepper: 'p'.repeat(40),
  encryptionKey: 'e'.repeat(40),
}

function shown(env: Record<string, string>, file: Record<string, string> = {}, more = {}) {
  const settings = { ...readSettings(env, file), ...secrets, ...more }
  return Object.fromEntries(effectiveSettings(settings).map((each) => [each.name, each]))
}

it('shows each setting once, in the order of the reference page', () => {
  expect(Object.keys(shown({}))).toEqual(Object.values(allSettings).map(({ name }) => name))
})

it('prefers the environment to the file, and the file to the default', () => {
  const { PORT, HOST, LOG_LEVEL } = shown({ PORT: '4000' }, { PORT: '5000', HOST: '0.0.0.0' })
  expect(PORT).toMatchObject({ value: '4000', source: 'environment', fallback: '3000' })
  expect(HOST).toMatchObject({ value: '0.0.0.0', source: 'env_file' })
  expect(LOG_LEVEL).toMatchObject({ value: 'info', source: 'default' })
})

it('uses the default for an empty value in the environment', () => {
  expect(shown({ PORT: ' ' }, { PORT: '5000' })['PORT']).toMatchObject({ value: '3000', source: 'default' })
})

it('accepts true and false, which YAML 1.1 parsers return for an unquoted on and off', () => {
  const env = { RATE_LIMIT: 'false', WORKSPACE_TOKENS: 'false', TRUST_PROXY: 'false', DASHBOARD: 'false' }
  const off = { rateLimit: null, workspaceTokens: null, trustProxy: null, dashboard: 'off' }
  expect(readSettings(env)).toMatchObject(off)
  expect(readSettings({ DASHBOARD: 'true' })).toMatchObject({ dashboard: 'on' })
  expect(() => readSettings({ DASHBOARD: 'yes' })).toThrow('DASHBOARD must be one of on, off')
})

it('shows the effective value of a default that depends on other settings', () => {
  const settings = shown({ PORT: '4000', RATE_LIMIT: '5/1h', DATA_DIR: 'x' })
  expect(settings['PUBLIC_URL']).toMatchObject({ value: 'http://localhost:4000', source: 'default' })
  expect(settings['SHORT_URL_BASE']!.value).toBe('http://localhost:4000')
  expect(settings['WORKSPACE_RATE_LIMIT']!.value).toBe('50/60m')
  expect(settings['DATA_DIR']!.value).toMatch(/^\/.*\/x$/)
})

it('shows the command line as the source of a role that the command sets', () => {
  expect(shown({ ROLE: 'all' }, {}, { role: 'api' })['ROLE']).toMatchObject({
    value: 'api',
    source: 'command_line',
  })
})

it('shows no secret from any source', () => {
  const written = { DATABASE_URL: secrets.databaseUrl, TOKEN_PEPPER: secrets.tokenPepper }
  const env = {
    ...written,
    ENCRYPTION_KEY: secrets.encryptionKey,
    REDIS_URL: 'redis://:hunter3@cache:6379',
    NOTICES: 'slack:https://hooks.slack.com/services/hunter4',
  }
  for (const settings of [shown(env), shown({}, env), shown({})]) {
    expect(JSON.stringify(settings)).not.toMatch(/hunter|pppp|eeee/)
    for (const { isSecret, value } of Object.values(settings)) expect(isSecret && value !== null).toBe(false)
  }
  expect(shown(env)['REDIS_URL']).toMatchObject({ isSet: true, source: 'environment' })
  expect(shown({})['REDIS_URL']).toMatchObject({ isSet: false, source: 'default' })
  expect(shown({})['TOKEN_PEPPER']).toMatchObject({ isSet: true, source: 'data_folder' })
})

describe('a secret in a file', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-in-file-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  async function write(name: string, text: string): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }

  const secretSettings = Object.entries(allSettings).filter(([, { secret }]) => secret)

  it.each(secretSettings.map(([key, { name }]) => [name, key] as const))(
    'sets %s to the same value as the environment',
    async (name, key) => {
      const urls: Record<string, string> = {
        DATABASE_URL: secrets.databaseUrl,
        DATABASE_DIRECT_URL: secrets.databaseUrl,
        REDIS_URL: 'redis://:x@cache',
        NOTICES: 'slack:https://hooks.slack.com/services/hunter4',
        WEBHOOK_PROXY: 'http://proxy.example',
      }
      const value = urls[name] ?? 'a secret of at least 32 characters'
      const { databaseUrl, tokenPepper, encryptionKey } = secrets
      const others: Record<string, string> = {
        DATABASE_URL: databaseUrl,
        TOKEN_PEPPER: tokenPepper,
        ENCRYPTION_KEY: encryptionKey,
      }
      Reflect.deleteProperty(others, name)
      const file = await write(name, `${value}\n`)
      const plain = readSettings({ ...others, [name]: value })
      const fromFile = readSettings({ ...others, [`${name}_FILE`]: file })
      expect(fromFile[key as keyof typeof plain]).toEqual(plain[key as keyof typeof plain])
      expect(JSON.stringify(plain[key as keyof typeof plain])).toContain(
        value.replace(/^(?:slack:|http:\/\/)/, ''),
      )
      expect(fromFile.written[name]).toMatchObject({ source: 'file' })
    },
  )

  it('is rejected if the setting itself is also set', async () => {
    const file = await write('pepper', secrets.tokenPepper)
    expect(() => readSettings({ TOKEN_PEPPER_FILE: file }, { TOKEN_PEPPER: secrets.tokenPepper })).toThrow(
      'TOKEN_PEPPER and TOKEN_PEPPER_FILE are both set; remove one of them',
    )
  })

  it('is rejected if the file is missing, empty or too short', async () => {
    const missing = { TOKEN_PEPPER_FILE: join(folder, 'missing') }
    expect(() => readSettings(missing)).toThrow(
      'TOKEN_PEPPER_FILE is the path of a file that cannot be read (ENOENT)',
    )
    const empty = { TOKEN_PEPPER_FILE: await write('empty', '\n') }
    expect(() => readSettings(empty)).toThrow('TOKEN_PEPPER_FILE is the path of an empty file')
    const short = { TOKEN_PEPPER_FILE: await write('short', 'hunter4') }
    expect(() => readSettings(short)).toThrow(/TOKEN_PEPPER must have at least 32 characters(?!.*hunter4)/)
  })

  it('is ignored for settings that are not secret', async () => {
    expect(readSettings({ PORT_FILE: await write('port', '4000') }).port).toBe(3000)
  })
})

describe('the rate limit of a workspace', () => {
  it.each([
    [{}, { limit: 6000, windowSeconds: 60 }],
    [{ RATE_LIMIT: '100/10s' }, { limit: 1000, windowSeconds: 10 }],
    [{ RATE_LIMIT: '999999999/1m' }, { limit: 999_999_999, windowSeconds: 60 }],
    [{ RATE_LIMIT: 'off' }, null],
    [{ WORKSPACE_RATE_LIMIT: 'off' }, null],
    [{ WORKSPACE_RATE_LIMIT: '5/1h' }, { limit: 5, windowSeconds: 3600 }],
    [
      { RATE_LIMIT: 'off', WORKSPACE_RATE_LIMIT: '5/1h' },
      { limit: 5, windowSeconds: 3600 },
    ],
    [
      { RATE_LIMIT: '5/1h', WORKSPACE_RATE_LIMIT: ' ' },
      { limit: 50, windowSeconds: 3600 },
    ],
  ])('for %j is %j', (env, expected) => {
    expect(readSettings(env).workspaceRateLimit).toEqual(expected)
  })
})

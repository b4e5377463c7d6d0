/** The configuration files in docs/samples and deploy/systemd work with the programs that read them. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readSettings } from '../../../src/platform/config/env.js'
import { selfSigned } from '../../support/certificates.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { LiveFollower } from '../../support/live-follower.js'
import { itIf, startServer, succeeds } from '../../support/program.js'
import type { Program } from '../../support/program.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const timeoutMs = 60_000
const visitor = '127.0.0.2'
const readSample = (name: string) => readFile(`docs/samples/${name}`, 'utf8')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Replaces each text, which must be present. */
function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The file does not contain ${from}.`)
    return result.replaceAll(from, to)
  }, text)
}

interface Proxy {
  isInstalled: boolean
  /** Writes the configuration, and returns the command that checks it and the command that serves it. */
  configure: (servicePort: string, port: string) => Promise<{ check: string[]; serve: string[] }>
}

const proxies: Record<string, Proxy> = {
  nginx: {
    isInstalled: succeeds('nginx', '-v'),
    configure: async (servicePort, port) => {
      const { cert, key } = selfSigned({ names: ['links.example'] })
      await writeFile(join(folder, 'cert.pem'), cert)
      await writeFile(join(folder, 'key.pem'), key)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `  ${kind}_temp_path ${join(folder, kind)};`,
      )
      const sample = replaceAll(await readSample('nginx.conf'), {
        '/etc/letsencrypt/live/links.example/fullchain.pem': join(folder, 'cert.pem'),
        '/etc/letsencrypt/live/links.example/privkey.pem': join(folder, 'key.pem'),
        'http {\n': `http {\n  access_log off;\n${temporary.join('\n')}\n`,
      })
      // Without root, nginx may not open the ports 80 and 443, not even for a check.
      const checked = replaceAll(sample, {
        'listen 80;': `listen 127.0.0.1:${await freePort()};`,
        'listen 443 ssl http2;': `listen 127.0.0.1:${await freePort()} ssl http2;`,
      })
      // The tests send plain HTTP.
      const served = replaceAll(sample, {
        'listen 80;': `listen 127.0.0.1:${await freePort()};`,
        'listen 443 ssl http2;': `listen 127.0.0.1:${port};`,
        '127.0.0.1:3000': `127.0.0.1:${servicePort}`,
      })
      await writeFile(join(folder, 'checked.conf'), checked)
      await writeFile(join(folder, 'served.conf'), served)
      const nginx = ['nginx', '-p', folder, '-e', join(folder, 'error.log')]
      const globals = `pid ${join(folder, 'nginx.pid')}; user root;`
      return {
        check: [...nginx, '-t', '-c', join(folder, 'checked.conf'), '-g', globals],
        serve: [...nginx, '-c', join(folder, 'served.conf'), '-g', `${globals} daemon off;`],
      }
    },
  },
  haproxy: {
    isInstalled: succeeds('haproxy', '-v'),
    configure: async (servicePort, port) => {
      const { cert, key } = selfSigned({ names: ['links.example'] })
      await writeFile(join(folder, 'haproxy.pem'), `${cert}${key}`)
      const sample = replaceAll(await readSample('haproxy.cfg'), {
        '/etc/haproxy/links.example.pem': join(folder, 'haproxy.pem').replaceAll(' ', '\\ '),
        '127.0.0.1:8404': `127.0.0.1:${await freePort()}`,
      })
      // The tests send plain HTTP.
      const served = replaceAll(sample.replace(/bind :443 .*/, `bind 127.0.0.1:${port}`), {
        '127.0.0.1:3000': `127.0.0.1:${servicePort}`,
        '127.0.0.1:3001': `127.0.0.1:${servicePort}`,
      })
      await writeFile(join(folder, 'checked.cfg'), sample)
      await writeFile(join(folder, 'served.cfg'), served)
      return {
        check: ['haproxy', '-c', '-f', join(folder, 'checked.cfg')],
        serve: ['haproxy', '-f', join(folder, 'served.cfg')],
      }
    },
  },
  Caddy: {
    isInstalled: succeeds('caddy', 'version'),
    configure: async (servicePort, port) => {
      const served = replaceAll(await readSample('Caddyfile'), {
        'links.example': `http://127.0.0.1:${port}`,
        '127.0.0.1:3000': `127.0.0.1:${servicePort}`,
      })
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${served}`)
      return {
        check: ['caddy', 'validate', '--adapter', 'caddyfile', '--config', 'docs/samples/Caddyfile'],
        serve: ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      }
    },
  },
}

describe.each(Object.entries(proxies))('the configuration of %s', (name, { isInstalled, configure }) => {
  const test = itIf(isInstalled, `the configuration of ${name}`, `Install ${name} to test it.`)
  let service: Service
  let proxy: Program | undefined
  let origin: string
  let check: string[]
  beforeAll(async () => {
    if (!isInstalled) return
    service = await startService({ env: { TRUST_PROXY: '127.0.0.1', CLICK_IP: 'full' } })
    const port = String(await freePort())
    origin = `http://127.0.0.1:${port}`
    const commands = await configure(new URL(service.origin).port, port)
    check = commands.check
    proxy = await startServer(commands.serve, { HOME: folder, XDG_DATA_HOME: folder }, `${origin}/healthz`)
  }, timeoutMs)
  afterAll(async () => {
    await proxy?.stop()
    await service.stop()
  })

  test('is valid', () => {
    const [command = '', ...args] = check
    const { status, stderr } = spawnSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    })
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  })

  test('forwards the IP address of the visitor, and ignores one that the visitor claims', async () => {
    const link = await makeLink(service)
    // The proxy connects from 127.0.0.1, and the visitor from another address.
    const sent = request(`${origin}/${link.slug}`, {
      localAddress: visitor,
      headers: { 'x-forwarded-for': '203.0.113.9' },
    }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(302)
    const click = await waitFor('the click', async () => {
      const { body } = await service.call('GET', `/v1/links/${link.id}/clicks`)
      return body.data[0]
    })
    expect(click.ip).toBe(visitor)
  })

  test('sends live clicks without buffering', async () => {
    const link = await makeLink(service)
    const follower = await LiveFollower.start(`${origin}/api/v1/clicks/live`, {
      authorization: `Bearer ${service.token}`,
    })
    await visit(service, link.slug)
    await waitFor('the live click', () => follower.received.some(({ click }) => click.slug === link.slug))
    await follower.disconnect()
  })

  test('accepts an import larger than a megabyte', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `https://example.com/${name}/a/long/path/${i}`)
    const response = await fetch(`${origin}/api/v1/imports?dry_run=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'text/csv' },
      body: `url\n${rows.join('\n')}\n`,
    })
    expect(response.status).toBe(202)
  })

  test('hides the metrics', async () => {
    expect((await fetch(`${origin}/metrics`)).status).toBe(404)
    expect((await fetch(`${service.origin}/metrics`)).status).toBe(200)
  })
})

itIf(succeeds('systemd-analyze', '--version'), 'the systemd units', 'systemd-analyze is not installed.').each(
  ['link-service.service', 'link-service-worker.service'],
)('the systemd unit %s is valid and hardened', async (name) => {
  await mkdir(join(folder, 'units'), { recursive: true })
  const unit = join(folder, 'units', name)
  const text = await readFile(`deploy/systemd/${name}`, 'utf8')
  await writeFile(unit, replaceAll(text, { '/usr/bin/node': process.execPath }))
  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', ['--no-pager', ...args, unit], { encoding: 'utf8' })
  const verified = analyze('verify')
  expect([verified.status, verified.stderr]).toEqual([0, ''])
  const { stdout } = analyze('security', '--offline=true', '--threshold=25')
  expect(stdout).toMatch(new RegExp(`Overall exposure level for ${name}: [0-2]\\.\\d OK`))
})

it('the systemd units use different ports, even with METRICS_PORT in .env', async () => {
  const getPorts = async (name: string) => {
    const text = await readFile(`deploy/systemd/${name}`, 'utf8')
    const [, assignments = ''] = /^Environment=(.+)$/m.exec(text)!
    const environment = Object.fromEntries(assignments.split(' ').map((each) => each.split('=')))
    const { port, metricsPort } = readSettings(environment, { PORT: '3000', METRICS_PORT: '9090' })
    return [port, metricsPort]
  }
  expect(await getPorts('link-service.service')).toEqual([3000, 9090])
  expect(await getPorts('link-service-worker.service')).toEqual([3001, null])
})

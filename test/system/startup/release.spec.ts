/** The release script, in a copy of the checkout. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const version = '9.8.7'

let checkout: string
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'link-service-release-'))
  await run('git', ['clone', '--quiet', '--no-tags', resolve('.'), checkout])
  // The release includes uncommitted changes of this checkout.
  const { stdout } = await run('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ])
  for (const file of stdout.trim().split('\n')) await cp(file, join(checkout, file)).catch(() => null)
  await run('cp', ['-al', resolve('node_modules'), join(checkout, 'node_modules')])
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.com'],
  ] as const)
    await run('git', ['config', name, value], { cwd: checkout })
}, 60_000)
afterAll(() => rm(checkout, { recursive: true, force: true }))

const git = async (...args: string[]) => (await run('git', args, { cwd: checkout })).stdout.trim()

async function commit(): Promise<void> {
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '--message', 'test: prepare')
}

/** Returns what the script prints when it refuses. */
async function refusal(...args: string[]): Promise<string> {
  const script = run(process.execPath, ['scripts/release.js', ...args], { cwd: checkout })
  return script.then(
    () => 'The release was cut.',
    ({ stderr }: { stderr: string }) => stderr.trim(),
  )
}

const change = '- The field `note` of links.'
const unreleased = `## Unreleased\n\n### Added\n\n${change}\n\n`

/** Replaces the unreleased changes in the changelog. */
async function describeChanges(changes: string): Promise<void> {
  const file = join(checkout, 'CHANGELOG.md')
  const text = await readFile(file, 'utf8')
  const [before] = text.split(/^## /m)
  const earlier = /^## \d[\s\S]*/m.exec(text)?.[0] ?? ''
  await writeFile(file, `${before}${changes}${earlier}`)
}

it('rejects a release without a version, a clean checkout or described changes, and changes nothing', async () => {
  await describeChanges('')
  await commit()
  const head = await git('rev-parse', 'HEAD')
  expect(await refusal()).toMatch(/^Name the version/)
  expect(await refusal('v1')).toMatch(/^Name the version/)
  expect(await refusal(version)).toMatch(/^CHANGELOG.md has nothing under "## Unreleased"/)
  await git('tag', `v${version}`)
  expect(await refusal(version)).toMatch(/^v9.8.7 exists/)
  await git('tag', '--delete', `v${version}`)
  await writeFile(join(checkout, 'note.txt'), '')
  expect(await refusal(version)).toMatch(/^There are uncommitted changes/)
  await rm(join(checkout, 'note.txt'))
  expect([await git('rev-parse', 'HEAD'), await git('tag'), await git('status', '--porcelain')]).toEqual([
    head,
    '',
    '',
  ])
}, 30_000)

it('sets the version, dates the changelog, keeps the document and the client, and tags', async () => {
  await describeChanges(unreleased)
  await commit()
  await run(process.execPath, ['scripts/release.js', version], { cwd: checkout })

  expect(await git('log', '-1', '--format=%s')).toBe(`release: ${version}`)
  expect(await git('describe', '--exact-match')).toBe(`v${version}`)
  expect(await git('status', '--porcelain')).toBe('')
  const read = (file: string) => readFile(join(checkout, file), 'utf8')
  const json = async (file: string) => JSON.parse(await read(file))
  for (const file of [
    'package.json',
    'package-lock.json',
    'clients/typescript/package.json',
    'dashboard/package.json',
  ])
    expect((await json(file)).version).toBe(version)
  expect((await json('package.json')).dependencies['@link-service/client']).toBe(version)
  expect((await json(`releases/${version}/openapi.json`)).info.version).toBe(version)
  expect(await read('openapi.json')).toBe(await read(`releases/${version}/openapi.json`))
  expect(await read('Dockerfile')).toContain(`\nARG VERSION=${version}\n`)
  const chart = await read('deploy/helm/Chart.yaml')
  expect(chart).toContain(`\nversion: ${version}\nappVersion: ${version}\n`)
  const changelog = await read('CHANGELOG.md')
  expect(changelog).toMatch(
    new RegExp(`^## 9\\.8\\.7 - \\d{4}-\\d\\d-\\d\\d\n\n### Added\n\n${change}$`, 'm'),
  )
  expect(changelog).not.toContain('Unreleased')
  expect((await readdir(join(checkout, 'releases', version))).sort()).toEqual(['client.tgz', 'openapi.json'])
  expect(await read('.release-notes.md')).toContain(change)
}, 180_000)

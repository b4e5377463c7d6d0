/**
 * `npm run release -- VERSION`: cuts a release of a clean checkout. Sets the version, dates the changelog, keeps the
 * OpenAPI document in releases/, commits, tags, and packs the clients and notes into .release/. Publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { main, makeFresh, root, run, say } from './fresh.js'

const [version = ''] = process.argv.slice(2)
const tag = `v${version}`
const output = join(root, '.release')
const changelog = join(root, 'CHANGELOG.md')
const workspaces = ['clients/typescript', 'dashboard']
const client = '@link-service/client'

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const problem = await findProblem()
if (problem) {
  say(problem)
  process.exit(1)
}
await main(async () => {
  const notes = await dateChangelog()
  await setVersion()
  await run(process.execPath, ['scripts/generate.js'])
  await run(process.execPath, ['scripts/check-compatibility.js'])
  await keepDocument()
  git('add', '--all')
  git('commit', '--quiet', '--message', `release: ${version}`)
  git('tag', '--annotate', '--message', `Link Service ${version}`, tag)
  await pack(notes)
  say(`${tag} is tagged, and .release has the clients and the notes. Publish with: git push --follow-tags`)
})

async function findProblem() {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'Name the version, for example: npm run release -- 0.2.0'
  if (git('status', '--porcelain')) return 'There are uncommitted changes. Commit or stash them first.'
  if (git('tag', '--list', tag)) return `${tag} exists. Choose a later version.`
  const { notes } = await readChangelog()
  return notes ? '' : 'CHANGELOG.md has nothing under "## Unreleased". Describe the changes there first.'
}

/** Returns the changelog up to the unreleased changes, those changes, and the earlier releases. */
async function readChangelog() {
  const [before, rest = ''] = (await readFile(changelog, 'utf8')).split(/^## Unreleased$/m)
  const [notes, ...earlier] = rest.split(/^(?=## )/m)
  return { before, notes: notes.trim(), earlier: earlier.join('') }
}

async function dateChangelog() {
  const { before, notes, earlier } = await readChangelog()
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(changelog, `${before}## ${version} - ${date}\n\n${notes}\n${earlier && `\n${earlier}`}`)
  return notes
}

async function setVersion() {
  for (const folder of ['.', ...workspaces])
    await edit(join(folder, 'package.json'), (manifest) => setVersionOf(manifest))
  await edit('package-lock.json', (lock) => {
    lock.version = version
    for (const path of ['', ...workspaces]) setVersionOf(lock.packages[path])
  })
}

function setVersionOf(manifest) {
  manifest.version = version
  if (manifest.dependencies?.[client]) manifest.dependencies[client] = version
}

async function edit(file, change) {
  const path = join(root, file)
  const value = JSON.parse(await readFile(path, 'utf8'))
  change(value)
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** Later documents are compared with this one, and later services must work with a client of it. */
async function keepDocument() {
  await mkdir(join(root, 'releases'), { recursive: true })
  await copyFile(join(root, 'openapi.json'), join(root, 'releases', `${version}.json`))
}

async function pack(notes) {
  await rm(output, { recursive: true, force: true })
  await mkdir(output)
  const image = `## Image\n\nBuild it from the tag:\n\n\`\`\`sh\ngit checkout ${tag}\ndocker build --tag link-service:${version} .\n\`\`\`\n`
  await writeFile(join(output, 'notes.md'), `# Link Service ${version}\n\n${notes}\n\n${image}`)
  await makeFresh({ needsTools: true })
  const npm = ['pack', '--silent', '--workspace', client, '--pack-destination', output]
  execFileSync('npm', npm, { cwd: root })
}

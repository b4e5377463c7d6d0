/**
 * `npm run release -- VERSION`: cuts a release of a clean checkout. Sets the version, dates the changelog, keeps the
 * OpenAPI document and the packed client in releases/, commits, tags, and writes notes. Publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { main, makeFresh, root, run, say } from './fresh.js'

const [version = ''] = process.argv.slice(2)
const tag = `v${version}`
const notesFile = '.release-notes.md'
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
  await keepInterface()
  git('add', '--all')
  git('commit', '--quiet', '--message', `release: ${version}`)
  git('tag', '--annotate', '--message', `Link Service ${version}`, tag)
  await writeNotes(notes)
  say(`${tag} is tagged. Publish it with git push --follow-tags, and ${notesFile} as its description.`)
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
  await replaceIn('Dockerfile', /^ARG VERSION=.*$/m, `ARG VERSION=${version}`)
  await replaceIn('deploy/helm/Chart.yaml', /^version: .*$/m, `version: ${version}`)
  await replaceIn('deploy/helm/Chart.yaml', /^appVersion: .*$/m, `appVersion: ${version}`)
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

async function replaceIn(file, pattern, text) {
  const path = join(root, file)
  const content = await readFile(path, 'utf8')
  if (!pattern.test(content)) throw new Error(`${file} has no line ${pattern}.`)
  await writeFile(path, content.replace(pattern, text))
}

/** Later documents are compared with this one, and later services are called with this client. */
async function keepInterface() {
  const folder = join(root, 'releases', version)
  await mkdir(folder, { recursive: true })
  await copyFile(join(root, 'openapi.json'), join(folder, 'openapi.json'))
  await makeFresh({ needsTools: true })
  execFileSync('npm', ['pack', '--silent', '--workspace', client, '--pack-destination', folder], {
    cwd: root,
  })
  await rename(join(folder, `link-service-client-${version}.tgz`), join(folder, 'client.tgz'))
}

async function writeNotes(notes) {
  const image = `## Image\n\nBuild it from the tag:\n\n\`\`\`sh\ngit checkout ${tag}\ndocker build --tag link-service:${version} .\ndocker build --tag link-service:${version}-all-in-one --target all-in-one .\n\`\`\`\n`
  await writeFile(join(root, notesFile), `# Link Service ${version}\n\n${notes}\n\n${image}`)
}

/** `npm test [jest options …]` and `npm run test:system …`: bring packages and dist up to date, then run Jest. */
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { main, makeFresh, programOf, run } from './fresh.js'

const [tier, ...rest] = process.argv.slice(2)
const roomNeeded = 4 * 1024 ** 3
const projectsOf = { fast: ['unit', 'api'], system: ['system'], all: ['unit', 'api', 'system'] }

await main(async () => {
  await makeFresh()
  // Jest runs ES modules through Node's vm modules, which would warn in every worker.
  const options = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules']
  // Specs make many short-lived objects. With more room for these, garbage is collected less often.
  options.push('--max-semi-space-size=64')
  // `--selectProjects` is last, because Jest takes each word after it for the name of a project.
  const args = [...options, await programOf('jest'), ...rest, '--selectProjects', ...projectsOf[tier]]
  const folder = await mkdtemp(join(await roomyFolder(), 'link-service-test-'))
  process.env.TEST_POSTGRES_FOLDER = folder
  try {
    await run(process.execPath, args, { output: 'as it is' })
  } finally {
    // The folder goes even if Jest was stopped. The server still writes there until it notices, hence the retries.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})

/**
 * The folder for the database of the run. It is in memory if there is room: each spec file copies 500 files, which
 * takes some disks a third of a second.
 */
async function roomyFolder() {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= roomNeeded ? memory : tmpdir()
}

/** `npm test [jest options …]` and `npm run test:system …`: installs and builds outdated parts, then runs Jest. */
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { main, makeFresh, programOf, run } from './fresh.js'

const [tier, ...jestArgs] = process.argv.slice(2)
const neededBytes = 4 * 1024 ** 3
const projectsOf = { fast: ['unit', 'api'], system: ['system'], all: ['unit', 'api', 'system'] }

await main(async () => {
  await makeFresh({ needsTools: true })
  // Jest needs the experimental vm modules for ES modules, which would warn in every worker.
  const options = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules']
  // Specs create many short-lived objects. A larger young generation reduces garbage collection.
  options.push('--max-semi-space-size=64')
  // `--selectProjects` must be last, because Jest reads every following word as a project.
  const args = [...options, await programOf('jest'), ...jestArgs, '--selectProjects', ...projectsOf[tier]]
  const folder = await mkdtemp(join(await databaseFolder(), 'link-service-test-'))
  process.env.TEST_POSTGRES_FOLDER = folder
  try {
    await run(process.execPath, args, { output: 'as it is' })
  } finally {
    // Remove the folder even if Jest was stopped. Retry while the server still writes to it.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})

/**
 * Returns the parent folder for the test database, in memory if there is enough space: each spec file copies 500 files,
 * which takes up to a third of a second on disk.
 */
async function databaseFolder() {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= neededBytes ? memory : tmpdir()
}

/** `npm test [jest options …]` and `npm run test:system …`: Jest, on packages and a dist that are up to date. */
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { main, makeFresh, programOf, run } from './fresh.js'

const [tier, ...rest] = process.argv.slice(2)
const roomNeeded = 4 * 1024 ** 3
const projects = tier === 'system' ? ['system'] : ['unit', 'api']

await main(async () => {
  await makeFresh()
  // Jest runs ES modules through Node's vm modules, which would warn in every worker.
  const options = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules']
  // Specs make much that is soon forgotten: with more room for it, it is collected less often.
  options.push('--max-semi-space-size=64')
  // Behind the caller's words: what follows this option would be taken for the name of a project.
  const args = [...options, await programOf('jest'), ...rest, '--selectProjects', ...projects]
  const folder = await mkdtemp(join(await roomyFolder(), 'link-service-test-'))
  process.env.TEST_POSTGRES_FOLDER = folder
  try {
    await run(process.execPath, args, { output: 'as it is' })
  } finally {
    // Also where Jest was stopped in the middle: the server writes there until it notices.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})

/**
 * Where the database of the run lies: in memory where there is room, because each spec file has a copy of 500 files, for
 * which some disks take a third of a second.
 */
async function roomyFolder() {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= roomNeeded ? memory : tmpdir()
}

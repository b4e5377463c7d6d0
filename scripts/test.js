/** `npm test [jest options …]` and `npm run test:system …`: Jest, on packages and a dist that are up to date. */
import { main, makeFresh, programOf, run } from './fresh.js'

const [tier, ...rest] = process.argv.slice(2)
const projects = tier === 'system' ? ['system'] : ['unit', 'api']

await main(async () => {
  await makeFresh()
  // Jest runs ES modules through Node's vm modules, which would warn in every worker.
  const options = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules']
  // Specs make much that is soon forgotten: with more room for it, it is collected less often.
  options.push('--max-semi-space-size=64')
  // Behind the caller's words: what follows this option would be taken for the name of a project.
  await run(
    process.execPath,
    [...options, await programOf('jest'), ...rest, '--selectProjects', ...projects],
    {
      output: 'as it is',
    },
  )
})

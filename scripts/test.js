/** `npm test [jest options …]`: Jest, on packages and a dist that are up to date. */
import { main, makeFresh, programOf, run } from './fresh.js'

await main(async () => {
  await makeFresh()
  // Jest runs ES modules through Node's vm modules, which would warn in every worker.
  const options = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules']
  await run(process.execPath, [...options, await programOf('jest'), ...process.argv.slice(2)], {
    output: 'as it is',
  })
})

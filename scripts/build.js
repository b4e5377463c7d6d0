/** `npm run build`: installs packages, builds outdated parts and checks the types of the service. */
import { main, makeFresh, programOf, run, say } from './fresh.js'

await main(async () => {
  await makeFresh({ needsTools: true })
  const tsc = await programOf('typescript', 'tsc')
  const incremental = ['--incremental', '--tsBuildInfoFile', 'dist/.types']
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noEmit', ...incremental])
  say('The build is up to date.')
})

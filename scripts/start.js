/** `npm start [command …]`: installs and builds what is missing, then is the service. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { main, makeFresh, root } from './fresh.js'

await main(async () => {
  await makeFresh()
  // In this process, so that signals and the exit code need nobody in between.
  const program = join(root, 'dist/main.js')
  process.argv[1] = program
  await import(pathToFileURL(program).href)
})

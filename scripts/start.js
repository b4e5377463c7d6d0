/** `npm start [command …]`: installs and builds outdated parts, then runs the service. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { main, makeFresh, root } from './fresh.js'

await main(async () => {
  await makeFresh()
  // Run the service in this process, so that signals and the exit code need no forwarding.
  const program = join(root, 'dist/main.js')
  process.argv[1] = program
  await import(pathToFileURL(program).href)
})

/** `npm start [command …]`: installs and builds what is missing, then runs the service. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { main, makeFresh, root } from './fresh.js'

await main(async () => {
  await makeFresh()
  // The service runs in this process, so nothing has to pass on signals and the exit code.
  const program = join(root, 'dist/main.js')
  process.argv[1] = program
  await import(pathToFileURL(program).href)
})

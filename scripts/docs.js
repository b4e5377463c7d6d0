/** `npm run docs`: builds the documentation site. `npm run docs:dev`: serves it and shows changes immediately. */
import { join } from 'node:path'

import { main, makeFresh, root, run } from './fresh.js'
import { step } from './progress.js'
import { installSeparately } from './separate-packages.js'

const [command] = process.argv.slice(2)
const vitepress = [join(root, 'docs/node_modules/vitepress/bin/vitepress.js'), command, 'docs']

await main(async () => {
  // The configuration of the site uses a module of the service.
  await makeFresh()
  await installSeparately('docs', 'the documentation tools')
  if (command === 'dev') await run(process.execPath, vitepress)
  else
    await step('Building the documentation', 'Built the documentation', () =>
      run(process.execPath, vitepress, { output: 'when it fails' }),
    )
})

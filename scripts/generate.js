/** `npm run generate [-- --check]`: writes the generated files, or fails if they differ from the committed ones. */
import { main, makeFresh, run, say } from './fresh.js'

/** In this order, because the clients are generated from openapi.json. */
const generators = [
  ...['openapi', 'settings', 'reference', 'commands'].map((command) => ['dist/main.js', command]),
  ['scripts/client-types.js'],
  ['scripts/client-python.js'],
  ['scripts/client-go.js'],
  ['clients/conformance/generate.js'],
]

const options = process.argv.slice(2)
await main(async () => {
  await makeFresh({ needsTools: true })
  for (const generator of generators) {
    say(`> ${[...generator, ...options].join(' ')}`)
    await run(process.execPath, [...generator, ...options])
  }
})

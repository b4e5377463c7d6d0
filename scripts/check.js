/** `npm run check`: runs all static checks, fastest first, and stops at the first failure. */
import { main, makeFresh, programOf, run, say } from './fresh.js'

const checks = [
  ['prettier', '--check', '.'],
  ['eslint', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'dashboard'],
  ['knip'],
]
const ownChecks = [['scripts/check-files.js'], ['scripts/client-types.js', '--check']]
const lint = 'scripts/lint-openapi.js'
// Commands that compare the committed generated files with the sources.
const generators = ['openapi', 'settings', 'reference', 'commands']

await main(async () => {
  await makeFresh({ needsTools: true })
  for (const [command, ...args] of checks) {
    say(`> ${[command, ...args].join(' ')}`)
    await run(process.execPath, [
      await programOf(command === 'tsc' ? 'typescript' : command, command),
      ...args,
    ])
  }
  for (const check of ownChecks) {
    say(`> ${check.join(' ')}`)
    await run(process.execPath, check)
  }
  for (const command of generators) {
    say(`> ${command} --check`)
    await run(process.execPath, ['dist/main.js', command, '--check'])
  }
  await run(process.execPath, [lint])
})

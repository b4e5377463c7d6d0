/** `npm run check`: runs all static checks. */
import { main, makeFresh, programOf, run, say } from './fresh.js'

const checks = [
  ['prettier', '--check', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'dashboard'],
  ['knip'],
]
/** Takes as long as all others together and uses one core, so it runs in parallel. */
const lintSources = ['eslint', '.']
const ownChecks = [
  ['scripts/check-files.js'],
  ['scripts/generate.js', '--check'],
  ['scripts/lint-openapi.js'],
  ['scripts/check-compatibility.js'],
]

await main(async () => {
  await makeFresh({ needsTools: true })
  await Promise.all([runTool(lintSources), runOthers()])
})

async function runOthers() {
  for (const check of checks) await runTool(check)
  for (const check of ownChecks) {
    say(`> ${check.join(' ')}`)
    await run(process.execPath, check)
  }
}

async function runTool([command, ...args]) {
  say(`> ${[command, ...args].join(' ')}`)
  const program = await programOf(command === 'tsc' ? 'typescript' : command, command)
  await run(process.execPath, [program, ...args])
}

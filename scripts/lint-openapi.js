/** `node scripts/lint-openapi.js`: runs Spectral and Redocly on openapi.json, and installs them on first use. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { main, root, run, say } from './fresh.js'

const folder = 'scripts/openapi-lint'
const installedFrom = join(root, folder, 'node_modules/.installed-from')
const linters = [
  [
    '@stoplight/spectral-cli/dist/index.js',
    'lint',
    '--fail-severity=hint',
    `--ruleset=${folder}/spectral.yaml`,
  ],
  ['@redocly/cli/bin/cli.js', 'lint', `--config=${folder}/redocly.yaml`, '--max-problems=1000'],
]
// Do not let the linters access the network.
Object.assign(process.env, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' })

await main(async () => {
  const lockHash = createHash('sha256')
    .update(await readFile(join(root, folder, 'package-lock.json')))
    .digest('hex')
  if ((await readFile(installedFrom, 'utf8').catch(() => '')) !== lockHash) await install(lockHash)
  for (const [file, ...args] of linters) {
    say(`> ${file.split('/').slice(0, 2).join('/')}`)
    await run(process.execPath, [join(root, folder, 'node_modules', file), ...args, 'openapi.json'], {
      output: 'when it fails',
    })
  }
})

async function install(lockHash) {
  say('Installing the OpenAPI linters…')
  const args = ['ci', `--prefix=${folder}`, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', args, { shell: process.platform === 'win32', output: 'when it fails' })
  await writeFile(installedFrom, lockHash)
}

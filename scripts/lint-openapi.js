/** `node scripts/lint-openapi.js`: runs Spectral and Redocly on openapi.json, and installs them on first use. */
import { join } from 'node:path'

import { main, root, run, say } from './fresh.js'
import { installSeparately } from './separate-packages.js'

const folder = 'scripts/openapi-lint'
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
  await installSeparately(folder, 'the OpenAPI linters')
  for (const [file, ...args] of linters) {
    say(`> ${file.split('/').slice(0, 2).join('/')}`)
    await run(process.execPath, [join(root, folder, 'node_modules', file), ...args, 'openapi.json'], {
      output: 'when it fails',
    })
  }
})

/** Installs the packages of a folder outside the workspaces, when its package-lock.json has changed. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { step } from './progress.js'
import { root, run } from './fresh.js'

export async function installSeparately(folder, name) {
  const installedFrom = join(root, folder, 'node_modules/.installed-from')
  const lockHash = createHash('sha256')
    .update(await readFile(join(root, folder, 'package-lock.json')))
    .digest('hex')
  if ((await readFile(installedFrom, 'utf8').catch(() => '')) === lockHash) return
  await step(`Installing ${name}`, `Installed ${name}`, async () => {
    const args = [
      'ci',
      `--prefix=${folder}`,
      // The tools are development dependencies, which npm omits if NODE_ENV is production.
      '--include=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]
    await run('npm', args, { shell: process.platform === 'win32', output: 'when it fails' })
    await writeFile(installedFrom, lockHash)
  })
}

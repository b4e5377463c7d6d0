/** Copies of a data folder whose embedded database is migrated and empty. */
import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/** Creates a data folder, like a first start but much faster. The service still has to create its first token. */
export async function copyDataFolder(target: string): Promise<void> {
  const template = process.env['TEST_DATA_FOLDER']
  if (!template) throw new Error('the test run has no data folder; see start-postgres.js')
  await mkdir(target, { recursive: true })
  const { status, stderr } = spawnSync('cp', ['-a', `${template}/.`, target], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the data folder was not copied: ${stderr}`)
}

/** A roller in a separate process, which may be killed at any point. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const program = `
  import 'reflect-metadata'
  import { DataSource } from 'typeorm'
  const from = (path) => import('file://${resolve('dist')}/' + path)
  const { CheckpointsRepository } = await from('analytics/rolling/checkpoints.repository.js')
  const { Roller } = await from('analytics/rolling/roller.js')
  const { dataSourceOptions } = await from('platform/database/data-source.js')
  const source = await new DataSource(dataSourceOptions(process.argv[1], 2)).initialize()
  const roller = new Roller(source, new CheckpointsRepository())
  roller.valuesPerDay = Number(process.argv[2])
  console.log('rolling')
  for (;;) {
    await roller.rollWorkspaces(true)
    await new Promise((done) => setTimeout(done, 20))
  }
`

export interface RollingProcess {
  /** Kills the process, and resolves when it has exited. */
  kill(): Promise<void>
}

export async function startRolling(databaseUrl: string, valuesPerDay: number): Promise<RollingProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, databaseUrl, String(valuesPerDay)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isServing } from './postmaster.js'

let cluster: string
let started: ChildProcess | undefined
beforeEach(async () => {
  cluster = await mkdtemp(join(tmpdir(), 'link-service-postmaster-'))
})
afterEach(async () => {
  if (started?.kill('SIGKILL')) await once(started, 'exit')
  await rm(cluster, { recursive: true, force: true })
})

/** Starts a program with the arguments of a server, which Node.js runs as an emulator would. Returns its process ID. */
async function emulate(name: string): Promise<number> {
  const program = join(cluster, name)
  await writeFile(program, 'console.log("running"); setInterval(() => {}, 1_000)')
  started = spawn(process.execPath, [program, '-D', cluster], { cwd: cluster })
  await once(started.stdout!, 'data')
  return started.pid!
}

it('a server that an emulator runs is recognized', async () => {
  expect(await isServing(await emulate('postgres'), cluster)).toBe(true)
})

it('another program in the folder is not a server', async () => {
  expect(await isServing(await emulate('psql'), cluster)).toBe(false)
})

/**
 * A process that starts PostgreSQL and stops it when its last user has disconnected. A user is a process with an open
 * connection to this one, so the operating system also reports users that were killed.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import { StartupError } from '../../config/startup-error.js'
import { runPeriodically } from '../../util/timers.js'
import { explainFolderError } from './data-folder.js'
import { findPostmaster } from './postmaster.js'
import { prepareDatabase } from './prepare-database.js'
import { startServer, stopServer } from './server.js'
import type { StartedServer } from './server.js'
import { removeSupervisorFile, writeSupervisorFile } from './supervisor-file.js'
import type { Greeting, SupervisorReport, SupervisorTask } from './supervisor-file.js'

/** How often to check whether another process told PostgreSQL to stop. */
const checkEveryMs = 500

const { folder, binaries, launch, deadline } = JSON.parse(process.argv[2]!) as SupervisorTask

// Ignore signals: a service needs its database until the end of its own shutdown.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdout.on('error', () => undefined)

try {
  const started = await startServer(folder, binaries, launch, deadline)
  // If null, another supervisor has started the server first. The starter connects to that supervisor.
  if (started) await supervise(started)
  await sendReport({ failure: null })
  if (!started) process.exit()
} catch (error) {
  const failure = explainFolderError(folder.dataDir, error) as Error
  await sendReport({ failure: failure.message, isExpected: failure instanceof StartupError })
  process.exit(1)
}

function sendReport(text: SupervisorReport): Promise<void> {
  return new Promise((done) => process.stdout.write(`${JSON.stringify(text)}\n`, () => done()))
}

async function supervise({ pid, port: postgresPort, exited }: StartedServer): Promise<void> {
  const key = randomBytes(16).toString('hex')
  const users = new Map<Socket, Greeting['use']>()
  // The starter keeps the standard input of this process open until it has connected or exited.
  let isStarterAttached = true
  let isOpen = true
  let isStopping = false

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setEncoding('utf8').once('data', (text) => admit(socket, parseGreeting(String(text))))
    socket.on('error', () => undefined)
    socket.on('end', () => void removeUser(socket))
    socket.on('close', () => void removeUser(socket))
  })

  function admit(socket: Socket, greeting: Greeting | null): void {
    if (!isOpen || greeting?.key !== key) return void socket.destroy()
    if (greeting.use === 'service' && [...users.values()].includes('service'))
      return void socket.end('in use\n')
    users.set(socket, greeting.use)
    socket.resume().write('welcome\n')
  }

  async function removeUser(socket: Socket): Promise<void> {
    users.delete(socket)
    // The last user waits until the database has stopped.
    await stopIfUnused()
    socket.end()
  }

  async function stopIfUnused(): Promise<void> {
    if (isStarterAttached || users.size > 0 || isStopping) return
    isStopping = true
    await stopAdmitting()
    await stopServer(folder, pid)
    // Exit after `removeUser` has closed the last socket.
    setImmediate(() => process.exit())
  }

  async function stopAdmitting(): Promise<void> {
    isOpen = false
    server.close()
    await removeSupervisorFile(folder, key)
  }

  async function announceLoss(reason: string): Promise<void> {
    if (!isOpen) return
    await stopAdmitting()
    for (const socket of users.keys()) socket.write(`${reason}\n`)
  }

  try {
    await prepareDatabase(folder, postgresPort)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    await writeSupervisorFile(folder, { port: (server.address() as AddressInfo).port, key, postgresPort })
  } catch (error) {
    await stopServer(folder, pid)
    throw error
  }
  const detachStarter = () => {
    isStarterAttached = false
    void stopIfUnused()
  }
  process.stdin.on('end', detachStarter).on('error', detachStarter).resume()
  void exited.then(() => announceLoss(`The embedded database has stopped. Its log is ${folder.log}.`))
  // After SIGTERM, PostgreSQL waits for its sessions and refuses new ones. Only its pid file shows that.
  runPeriodically({
    work: async () => {
      if ((await findPostmaster(folder.cluster))?.status === 'stopping')
        await announceLoss(`Another process told the embedded database to stop; its log is ${folder.log}.`)
    },
    waitMs: checkEveryMs,
    onFailure: () => undefined,
  })
}

/** Returns null if the text is not a greeting. */
function parseGreeting(text: string): Greeting | null {
  try {
    return JSON.parse(text) as Greeting | null
  } catch {
    return null
  }
}

/** A receiver that listens but never accepts. Once its backlog is full, new connections hang. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

const program = `
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

export interface HangingReceiver {
  port: number
  stop(): void
}

export async function startHangingReceiver(): Promise<HangingReceiver> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const fillers = Array.from({ length: 8 }, () => openFiller(Number(port)))
  await once(fillers[0]!, 'connect')
  return {
    port: Number(port),
    stop: () => {
      for (const socket of fillers) socket.destroy()
      child.kill('SIGKILL')
    },
  }
}

function openFiller(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined)
}

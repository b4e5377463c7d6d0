/** The faults that chaos tests inject into each part of the cluster. */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import type { Cluster, Replica } from '../../support/cluster.js'
import type { FaultyProxy } from '../../support/faulty-proxy.js'
import { canMount, fillDisk } from '../../support/small-disk.js'
import { stepClock } from './chaos-cluster.js'

/** Starts a fault, waits while it lasts, and ends it. */
export type Fault = (cluster: Cluster, lastsMs: number) => Promise<void>

const latencyMs = 50
const clockStepMs = 3_600_000

function replicaFaults(name: string, find: (cluster: Cluster) => Replica): [string, Fault][] {
  return [
    [
      `${name} is killed`,
      async (cluster, lastsMs) => {
        const replica = find(cluster)
        replica.process.kill()
        await replica.process.gone
        await pause(lastsMs)
        await cluster.startAgain(replica)
      },
    ],
    [
      `${name} is frozen`,
      async (cluster, lastsMs) => {
        const { process } = find(cluster)
        void process.signal('SIGSTOP')
        await pause(lastsMs)
        void process.signal('SIGCONT')
      },
    ],
    [
      `${name} is restarted`,
      async (cluster) => {
        const replica = find(cluster)
        await replica.process.stop()
        await cluster.startAgain(replica)
      },
    ],
    [
      `the clock of ${name} is stepped`,
      async (cluster, lastsMs) => {
        const replica = find(cluster)
        for (const stepMs of [clockStepMs, -clockStepMs, 0]) {
          stepClock(replica, stepMs)
          await pause(lastsMs / 3)
        }
      },
    ],
  ]
}

function proxyFaults(name: string, find: (cluster: Cluster) => FaultyProxy): [string, Fault][] {
  return [
    [
      `${name} is disconnected`,
      async (cluster, lastsMs) => {
        find(cluster).cut()
        await pause(lastsMs)
        find(cluster).restore()
      },
    ],
    [
      `${name} is slow`,
      async (cluster, lastsMs) => {
        find(cluster).delayMs = latencyMs
        await pause(lastsMs)
        find(cluster).restore()
      },
    ],
  ]
}

const diskFault: [string, Fault] = [
  'the disk of an API is full',
  async ({ apis }, lastsMs) => {
    const filler = fillDisk(apis[1]!.dataDir)
    await pause(lastsMs)
    rmSync(filler)
  },
]
if (!canMount)
  process.stderr.write('Skipped: a full disk in the chaos tests. Mounting a small disk needs root.\n')

export const faults: readonly [string, Fault][] = [
  ...replicaFaults('an API', ({ apis }) => apis[0]!),
  ...(canMount ? [diskFault] : []),
  ...replicaFaults('a worker', ({ workers }) => workers[0]!),
  ['PostgreSQL is killed', ({ postgres }) => postgres.crashAndRestart()],
  [
    'PostgreSQL is frozen',
    async ({ postgres }, lastsMs) => {
      await postgres.freeze()
      await pause(lastsMs)
      await postgres.thaw()
    },
  ],
  ...proxyFaults('PostgreSQL', ({ postgres }) => postgres.proxy),
  [
    'Redis is killed',
    async ({ redis }, lastsMs) => {
      await redis.kill()
      await pause(lastsMs)
      await redis.start()
    },
  ],
  [
    'Redis is frozen',
    async ({ redis }, lastsMs) => {
      redis.freeze()
      await pause(lastsMs)
      redis.thaw()
    },
  ],
  [
    'Redis is emptied',
    async ({ redis }) => {
      await redis.command('FLUSHALL')
    },
  ],
  ...proxyFaults('Redis', ({ redisProxy }) => redisProxy),
  [
    'haproxy is killed',
    async ({ haproxy }, lastsMs) => {
      await haproxy.end('SIGKILL')
      await pause(lastsMs)
      await haproxy.start()
    },
  ],
  [
    'haproxy is frozen',
    async ({ haproxy }, lastsMs) => {
      haproxy.signal('SIGSTOP')
      await pause(lastsMs)
      haproxy.signal('SIGCONT')
    },
  ],
]

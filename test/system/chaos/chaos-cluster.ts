/** A cluster with webhooks, whose APIs have small disks and whose processes have clocks that can be stepped. */
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { Cluster } from '../../support/cluster.js'
import type { PlannedReplica } from '../../support/cluster.js'
import { call } from '../../support/service.js'
import { canMount, mountDisk, unmountDisk } from '../../support/small-disk.js'
import type { WebhookLog } from '../../support/traffic/webhook-log.js'

const diskSize = '4m'
const shiftedClock = pathToFileURL(resolve('test/support/shifted-clock.js')).href

export async function startChaosCluster(log: WebhookLog): Promise<Cluster> {
  const cluster = await Cluster.start({ getSettings, prepareFolder: mountSmallDisk })
  try {
    await createWebhooks(cluster, log)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

export function stepClock(replica: PlannedReplica, byMs: number): void {
  writeFileSync(getClockFile(replica), String(byMs))
}

const getClockFile = ({ dataDir }: PlannedReplica) => `${dataDir}.clock`

function getSettings(replica: PlannedReplica): Record<string, string> {
  // A process starts with the right clock.
  rmSync(getClockFile(replica), { force: true })
  return {
    LOG_LEVEL: 'error',
    WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s,2s,2s,5s,5s,5s,10s,10s',
    NODE_OPTIONS: `--import=${shiftedClock}`,
    CLOCK_SHIFT_FILE: getClockFile(replica),
  }
}

function mountSmallDisk({ name, dataDir }: PlannedReplica): (() => void) | undefined {
  if (!canMount || !name.startsWith('api')) return undefined
  mountDisk(dataDir, diskSize)
  return () => unmountDisk(dataDir)
}

async function createWebhooks({ haproxy, token }: Cluster, log: WebhookLog): Promise<void> {
  for (const path of log.paths) {
    const { status, body, text } = await call(haproxy.origin, 'POST', '/v1/webhooks', {
      token,
      body: { url: log.getUrl(path), ...log.hooks[path]!.fields },
    })
    if (status !== 201) throw new Error(`No webhook was created: ${text}`)
    log.verifyWith(path, body.secret as string)
  }
}

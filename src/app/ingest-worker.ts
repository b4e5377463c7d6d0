/** Entry point of the worker thread that writes clicks to the database. */
import 'reflect-metadata'

import { parentPort, workerData } from 'node:worker_threads'

import { IngestLoop } from '../clicks/ingest/ingest-loop.js'
import { MachineLoad } from '../clicks/ingest/ingest-pace.js'
import { Locations } from '../clicks/ingest/locations.js'
import type { FromIngest, IngestLog, IngestWorkerData, ToIngest } from '../clicks/ingest/messages.js'
import { SegmentQueue } from '../clicks/journal/segment-queue.js'
import { currentMs, useSharedClock } from '../platform/util/clock.js'
import { tracer } from '../platform/util/tracing.js'
import { createIngester } from './create-ingester.js'

const port = parentPort!
const { settings, root, folderId, segments, clock } = workerData as IngestWorkerData
useSharedClock(clock)
const send = (message: FromIngest): void => port.postMessage(message)
const log: IngestLog = {
  info: (message) => send({ kind: 'log', level: 'info', message }),
  warn: (message) => send({ kind: 'log', level: 'warn', message }),
}

const queue = new SegmentQueue({
  root,
  folderId,
  segments,
  onAdopted: (bytes) => send({ kind: 'adopted', bytes }),
  onFault: (error) => log.warn(`Click journal: ${error.message}`),
  now: currentMs,
})
const locations = new Locations(settings.geoipDb, log)
const machine = new MachineLoad()
const ingester = createIngester({
  settings,
  root,
  locations,
  log,
  wakeLanes: (webhookIds, isProven) => send({ kind: 'deliveries', webhookIds, isProven }),
})
const loop = new IngestLoop({ queue, ingester, machine, send, log })

port.on('message', (message: ToIngest) => {
  switch (message.kind) {
    case 'closed':
      settings.shortUrlBase = message.shortUrlBase
      machine.noteServing(message.load)
      queue.addSegment(message.segment)
      return loop.wake()
    case 'moved':
      queue.setFolder(message.folderId)
      return loop.wake()
    case 'direct':
      return loop.writeDirectly(message)
    case 'stop':
      return loop.stop(message.withinMs)
  }
})

await locations.open()
await loop.runUntilStopped()
locations.close()
await tracer?.flush()
port.close()

/** The pauses of the loop. test/api/clicks/ingester.spec.ts tests it with a database. */
import { waitFor } from '../../../test/support/wait-for.js'
import type { SegmentQueue } from '../journal/segment-queue.js'
import type { ClickIngester } from './click-ingester.js'
import { IngestLoop } from './ingest-loop.js'
import { MachineLoad } from './ingest-pace.js'

const { jest } = import.meta

afterEach(() => void jest.restoreAllMocks())

it.each([150, 200, 250, 300])(
  'reads the queue within seconds of a failure when %i ms pass between two reads of the clock',
  async (stepMs) => {
    let now = 0
    jest.spyOn(performance, 'now').mockImplementation(() => (now += stepMs))
    let reads = 0
    const nextSegments = () => (++reads === 1 ? Promise.reject(new Error('locked')) : Promise.resolve([]))
    const loop = new IngestLoop({
      queue: { nextSegments } as unknown as SegmentQueue,
      ingester: { close: () => Promise.resolve() } as unknown as ClickIngester,
      machine: new MachineLoad(),
      send: () => undefined,
      log: { info: () => undefined, warn: () => undefined },
    })
    const ended = loop.runUntilStopped()
    try {
      await waitFor('another read', () => reads > 1, 3_000)
    } finally {
      loop.stop(0)
      await ended
    }
  },
)

/** How clicks are taken into the database when a batch of them fails. */
import { setTimeout as pause } from 'node:timers/promises'

import { ClickIngester, writers } from '../../../src/clicks/ingest/click-ingester.js'
import { Locations } from '../../../src/clicks/ingest/locations.js'
import { Signals } from '../../../src/clicks/ingest/messages.js'
import { ClickReader } from '../../../src/clicks/journal/click-reader.js'
import { connect, dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { identityOf } from '../../support/factories/clicks.js'
import { makeLink } from '../../support/factories/links.js'
import { Journals, visit } from '../../support/journals.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

const inBatch = 5

let service: Service
let journals: Journals
beforeAll(async () => {
  service = await shareService()
  journals = new Journals()
})
afterAll(async () => {
  await journals.stop()
  await service.stop()
})

it('the journal is read again only when no other batch is still being written', async () => {
  const identity = await identityOf(service, await makeLink(service))
  const journal = journals.open()
  await Promise.all(
    Array.from(
      { length: 2 * inBatch },
      () => new Promise<void>((durable) => journal.append({ ...visit, ...identity }, durable, undefined)),
    ),
  )
  const steps: string[] = []
  let rewound: () => void = () => undefined
  const rewind = new Promise<void>((resolve) => (rewound = resolve))
  class SmallBatches extends ClickReader {
    override next() {
      return super.next(inBatch)
    }
    override rewind() {
      steps.push('rewind')
      rewound()
      return super.rewind()
    }
  }
  const log = { info: () => undefined, warn: () => undefined }
  let batches = 0
  const ingester = new ClickIngester({
    reader: new SmallBatches(journal.shared),
    signals: new Signals(),
    locations: new Locations(null, log),
    addressMode: 'truncate',
    connect: () => connect(dataSourceOptions(service.db.url, writers)),
    log,
    markEvents: async () => {
      batches++
      if (batches === 1) {
        await waitFor('the second batch', () => batches === 2)
        throw new Error('the first batch fails')
      }
      if (batches === 2) {
        await Promise.race([rewind, pause(200)])
        steps.push('the second batch ends')
      }
      return null
    },
  })
  const running = ingester.run()
  const written = 'SELECT id FROM clicks WHERE link_id = $1'
  await waitFor('all clicks', async () => {
    const rows = await service.db.query(written, [identity.linkId])
    return rows.length === 2 * inBatch && journal.stats().pendingClicks === 0
  })
  ingester.stop(0)
  await running
  expect(steps).toEqual(['the second batch ends', 'rewind'])
  expect(await service.db.query(written, [identity.linkId])).toHaveLength(2 * inBatch)
})

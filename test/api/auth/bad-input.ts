/** The frame of the specs of bad input to the token calls. Importing it sets it up for the importing file. */
import { nothingMayChange } from '../../support/bad-input.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

export let service: Service
export let target: { id: string; token: string }

beforeAll(async () => {
  service = await shareService()
  target = await service.mint('links:read')
})
nothingMayChange(() =>
  service.db.query('SELECT id, name, scopes, expires_at, revoked_at, hash FROM tokens ORDER BY id'),
)
afterAll(() => service.stop())

/** Starts a service for specs that send invalid input to token calls. Importing this file registers its hooks. */
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

/** The types of values that newer services may add: event types, error codes, scopes and others. */
import { LinkService, ValidationError } from '@link-service/client'
import type { BodyOf, KnownValue, NextStep, Webhook } from '@link-service/client'

import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

it('a request may contain a value that the client does not know', async () => {
  const client = new LinkService({ baseUrl: `${service.origin}/api`, token: service.token })
  const body: BodyOf<'createWebhook'> = { url: 'https://a.example/', events: ['click', 'link.archived'] }
  const error = await client.webhooks.create(body).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ValidationError)
  expect((error as ValidationError).errors).toMatchObject([{ pointer: '/events', code: 'invalid_events' }])
})

it('a map of the known values is complete, and has none for an unknown value', () => {
  const labels: Record<KnownValue<NextStep['action']>, string> = {
    redeliver: 'Redeliver',
    skip: 'Skip',
    test: 'Test',
    resume: 'Resume',
    replay: 'Replay',
    update: 'Update',
    none: '',
  }
  const getLabel = (action: NextStep['action']) => (labels as Partial<Record<string, string>>)[action] ?? '?'
  expect(['test', 'escalate'].map(getLabel)).toEqual(['Test', '?'])
})

it('a closed enum accepts only its values', () => {
  // @ts-expect-error The status is a closed enum.
  const status: Webhook['status'] = 'archived'
  expect(status).toBe('archived')
})

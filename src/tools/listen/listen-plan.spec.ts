import { eventTypes } from '../../events/catalog.js'
import { readPlan } from './listen-plan.js'
import type { ListenOptions } from './listen-plan.js'

const plan = (options: Partial<ListenOptions> = {}) =>
  readPlan({ forwardTo: 'http://localhost:4000/hook', ...options })

it.each<[Partial<ListenOptions>, RegExp]>([
  [{ forwardTo: 'localhost:4000' }, /--forward-to takes a complete URL/],
  [{ forwardTo: 'ftp://localhost/' }, /--forward-to takes a complete URL/],
  [{ forwardTo: 'http://me:word@localhost/' }, /--forward-to .* without a user name or password/],
  [{ from: 'yesterday' }, /--from takes now, start, or/],
  [{ from: '' }, /--from takes now, start, or/],
  [{ secret: ' ' }, /--secret takes 1 to 256/],
  [{ secret: 'x'.repeat(257) }, /--secret takes 1 to 256/],
  [{ secret: 'whsec_not base64' }, /--secret is not valid\..*base64/],
  [{ events: '' }, /Unknown events: \(none\)/],
])('rejects the options %j', (options, says) => {
  expect(() => plan(options)).toThrow(says)
  expect(() => plan(options)).not.toThrow(/word@/)
})

it('lists the known types of events when one is unknown', () => {
  const wrong = () => plan({ events: 'link.created,link.clicked,,click' })
  expect(wrong).toThrow('Unknown events: link.clicked, (none).')
  for (const name of eventTypes) expect(wrong).toThrow(name)
})

it('forwards all events from now on by default, with a generated secret', () => {
  const { secret, ...options } = plan()
  expect(secret).toMatch(/^whsec_/)
  expect(options).toMatchObject({ events: ['*'], from: 'now', isSecretGenerated: true, json: false })
})

it.each([
  ['*', true, true],
  ['click', true, false],
  ['link.created, link.deleted', false, true],
  ['link.created,click', true, true],
])('reads only the feeds that %s needs', (events, wantsClicks, wantsEvents) => {
  expect(plan({ events })).toMatchObject({ wantsClicks, wantsEvents })
})

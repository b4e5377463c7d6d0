import { eventTypes } from '../../events/catalogue.js'
import { readPlan } from './listen-plan.js'
import type { ListenOptions } from './listen-plan.js'

const given = { api: 'http://localhost:3000/api', 'forward-to': 'http://localhost:4000/hook' }
const plan = (options: Partial<ListenOptions>, token: string | undefined = 'lsk_x') =>
  readPlan({ ...given, ...options }, token)

describe('the words of the command', () => {
  it.each<[string, RegExp]>([
    ['', /^listen needs a token: set LINK_SERVICE_TOKEN .* or give --token-file\./],
    [' ', /not a token/],
    ['lsk\nx', /not a token/],
  ])('need a token, and not %j', (token, says) => {
    expect(() => plan({}, token)).toThrow(says)
    expect(() => plan({}, token)).not.toThrow(/lsk/)
  })

  it.each<[Partial<ListenOptions>, RegExp]>([
    [{ 'forward-to': undefined }, /needs --forward-to/],
    [{ 'forward-to': 'localhost:4000' }, /--forward-to takes a whole address/],
    [{ 'forward-to': 'ftp://localhost/' }, /--forward-to takes a whole address/],
    [{ 'forward-to': 'http://me:word@localhost/' }, /--forward-to .* without user name and password/],
    [{ api: 'localhost' }, /--api takes a whole address/],
    [{ from: 'yesterday' }, /--from takes now, start, or/],
    [{ from: '' }, /--from takes now, start, or/],
    [{ secret: ' ' }, /--secret takes 1 to 256/],
    [{ secret: 'x'.repeat(257) }, /--secret takes 1 to 256/],
    [{ events: '' }, /Unknown events: \(none\)/],
  ])('may not be %j', (options, says) => {
    expect(() => plan(options)).toThrow(says)
    expect(() => plan(options)).not.toThrow(/lsk|word@/)
  })

  it('may not name events that there are not: the known ones are listed', () => {
    const wrong = () => plan({ events: 'link.created,link.clicked,,click' })
    expect(wrong).toThrow('Unknown events: link.clicked, (none).')
    for (const name of eventTypes) expect(wrong).toThrow(name)
  })

  it('have defaults', () => {
    const { secret, ...rest } = plan({})
    expect(secret).toMatch(/^whsec_/)
    expect(rest).toMatchObject({
      events: ['*'],
      from: 'now',
      isSecretMade: true,
      json: false,
    })
  })

  it.each([
    ['http://host:1/api/', 'http://host:1/api'],
    ['http://host:1/api/v1', 'http://host:1/api'],
    ['http://host:1', 'http://host:1'],
    ['https://host/a/b/v1/', 'https://host/a/b'],
  ])('may write the API as %s', (api, read) => {
    expect(plan({ api }).api).toBe(read)
  })

  it.each([
    ['*', true, true],
    ['click', true, false],
    ['link.created, link.deleted', false, true],
    ['link.created,click', true, true],
  ])('say which feeds are needed: %s', (events, wantsClicks, wantsOthers) => {
    expect(plan({ events })).toMatchObject({ wantsClicks, wantsOthers })
  })
})

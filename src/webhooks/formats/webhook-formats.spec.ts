import { readFileSync } from 'node:fs'

import { Ajv2020 } from 'ajv/dist/2020.js'

import { eventTypes } from '../../events/catalog.js'
import { exampleEvent } from '../../events/payloads.js'
import type { Event } from '../../events/payloads.js'
import { findOnlyFormat, formatBody } from './webhook-formats.js'
import { describeOther, messages } from './event-message.js'

const formats = ['slack', 'discord'] as const
type MessageFormat = (typeof formats)[number]

const validators = Object.fromEntries(
  formats.map((format) => {
    const schema: object = JSON.parse(readFileSync(`test/support/schemas/${format}-webhook.json`, 'utf8'))
    return [format, new Ajv2020({ strict: false, formats: { snowflake: true } }).compile(schema)]
  }),
) as Record<MessageFormat, ReturnType<Ajv2020['compile']>>

/** Returns the text of a message, whose body must be valid. */
function getMessageText(format: MessageFormat, event: unknown): string {
  const body = JSON.parse(formatBody(format, JSON.stringify(event))) as Record<string, any>
  const validate = validators[format]
  expect(validate(body) ? [] : validate.errors).toEqual([])
  if (format === 'discord') expect(body['allowed_mentions']).toEqual({ parse: [] })
  return (format === 'slack' ? body['blocks'][0].text.text : body['content']) as string
}

/** Replaces every text of an event, except its type and URLs. */
function fill(value: unknown, text: string): unknown {
  if (typeof value === 'string') return /^https?:/.test(value) ? value : text
  if (Array.isArray(value)) return value.map((each) => fill(each, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, text)]))
}

const withData = (event: Event, data: object) => ({ ...event, data: { ...event.data, ...data } })
const created = exampleEvent('link.created')
const withLink = (fields: object) => withData(created, { link: { ...created.data.link, ...fields } })
const click = exampleEvent('click')

it('standard is the stored body, byte for byte', () => {
  expect(formatBody('standard', '{"any": "text"}')).toBe('{"any": "text"}')
})

it.each(eventTypes)('%s has a message (add one to event-message.ts)', (type) => {
  expect(messages[type]).toBeInstanceOf(Function)
})

describe.each(formats)('%s', (format) => {
  it.each(eventTypes)('describes %s, always in the same bytes', (type) => {
    const stored = JSON.stringify(exampleEvent(type))
    expect(getMessageText(format, exampleEvent(type))).toMatch(/\S/)
    expect(formatBody(format, stored)).toBe(formatBody(format, stored))
  })

  it.each(eventTypes)('stays within the limits for %s with long texts', (type) => {
    for (const text of ['&'.repeat(9_000), '*'.repeat(9_000), '\u{1F331}'.repeat(9_000)])
      getMessageText(format, withData(exampleEvent(type), fill(exampleEvent(type).data, text) as object))
    const { link } = created.data
    const previous = fill(link, '<'.repeat(9_000)) as object
    getMessageText(format, withData(exampleEvent('link.updated'), { link: previous, previous }))
  })

  it.each(eventTypes)('contains no line breaks of users in %s', (type) => {
    const event = exampleEvent(type)
    const lines = (text: string) =>
      getMessageText(format, withData(event, fill(event.data, text) as object)).split('\n').length
    expect(lines('a\r\n\u2028\u0085*Link deleted*')).toBe(lines('a'))
  })

  it('does not show IP addresses, visitors, or the path of a webhook URL', () => {
    const { ip, visitor, referrer } = click.data.click
    const text = getMessageText(format, click)
    for (const hidden of [ip, visitor, referrer]) expect(text).not.toContain(hidden)
    const failing = exampleEvent('webhook.failing')
    const url = 'https://receiver.example/T000/credential'
    const about = withData(failing, { webhook: { ...failing.data.webhook, url } })
    expect(getMessageText(format, about)).not.toContain('credential')
    expect(getMessageText(format, about)).toMatch(/receiver\.example/)
  })

  it('describes an event of an older version, which lacks fields', () => {
    const event = { ...created, data: { link: { id: 'lnk_1', short_url: 'https://a.example/x' } } }
    expect(getMessageText(format, event)).toMatch(/Link created[^]*Link[^]*lnk/)
  })

  it('shows a long destination as cut text instead of a broken link', () => {
    const text = getMessageText(format, withLink({ url: `https://example.com/${'a'.repeat(8_000)}` }))
    expect(text).toMatch(/aaa…/)
  })

  it.each([
    'https://evil.example/|https://bank.example',
    'https://evil.example/?q=><!channel>',
    'https://e.example/ x',
  ])('links to %s without another label', (url) => {
    const text = getMessageText(format, withLink({ url }))
    expect(text.match(/<https:[^>|\s]*>/g)).toHaveLength(1)
    expect(text.match(/[<>|]/g)).toHaveLength(4)
  })
})

describe('slack', () => {
  it.each([
    ['<!channel> & <@U012AB3CD>', '&lt;!channel&gt; &amp; &lt;@U012AB3CD&gt;'],
    ['<https://evil.example|Sign in>', '&lt;https://evil.example|Sign in&gt;'],
  ])('escapes %s', (title, escaped) => {
    const text = getMessageText('slack', withLink({ title, tags: [title] }))
    expect(text).toContain(`*Title:* ${escaped}\n*Tags:* ${escaped}`)
  })

  it('describes a created link', () => {
    expect(getMessageText('slack', created)).toBe(
      [
        '*Link created* <http://localhost:3000/spring>',
        '*Destination:* <https://example.com/spring?utm_source=mail>',
        '*Title:* Spring sale',
        '*Tags:* sale, mail',
      ].join('\n'),
    )
  })

  it('describes an update with old and new values', () => {
    const event = exampleEvent('link.updated')
    const previous = { title: 'Spring sale', external_id: null, enabled: false, tags: [] }
    expect(getMessageText('slack', withData(event, { previous })).split('\n').slice(2)).toEqual([
      '*Title:* Spring sale → Summer sale',
      '*External ID:* none → campaign-17',
      '*Enabled:* no → yes',
      '*Tags:* none → sale, mail',
    ])
  })
})

describe('discord', () => {
  it.each([
    ['@everyone <@&123> <t:1>', '\\@everyone \\<\\@&123\\> \\<t\\:1\\>'],
    ['[a](https://evil.example)', '\\[a\\]\\(https\\://evil.example\\)'],
    ['# a', '\\# a'],
    ['- a', '\\- a'],
    ['**a** _b_ ~~c~~ `d` ||e|| \\', '\\*\\*a\\*\\* \\_b\\_ \\~\\~c\\~\\~ \\`d\\` \\|\\|e\\|\\| \\\\'],
  ])('escapes %s', (title, escaped) => {
    const text = getMessageText('discord', withLink({ title, tags: [] }))
    expect(text).toContain(`**Title\\:** ${escaped}`)
  })

  it('describes a click with the country', () => {
    const lines = getMessageText('discord', click).split('\n')
    expect(lines[0]).toBe('**Click** <http://localhost:3000/spring>')
    expect(lines).toContain('**Country\\:** Germany \\(DE\\)')
    expect(lines).toContain('**Referrer\\:** news.example')
  })
})

it('describes an unknown event by its simple fields and the names of its objects', () => {
  const data = { token: { id: 'tok_1', name: 'CI', secret: 'x' }, days_left: 7, at: null, list: ['a', 'b'] }
  expect(describeOther({ type: 'token.expiring', data })).toEqual({
    title: 'Token expiring',
    url: null,
    facts: [
      { name: 'Token', value: 'CI' },
      { name: 'Days left', value: '7' },
      { name: 'List', value: 'a, b' },
    ],
  })
})

it.each([
  ['https://hooks.slack.com/services/T/B/x', 'slack'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://ptb.discord.com/api/webhooks/1/x', 'discord'],
  ['https://discord.com/api/webhooks/1/x/slack', 'slack'],
  ['https://discord.com.evil.example/', null],
  ['https://receiver.example/hooks.slack.com', null],
])('%s accepts only %s', (url, format) => expect(findOnlyFormat(url)).toBe(format))

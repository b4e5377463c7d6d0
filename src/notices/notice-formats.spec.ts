import { discordBody, formatMail, slackBody } from './notice-formats.js'
import type { Notice } from './notice-texts.js'

const notice: Notice = {
  title: 'A token was created',
  lines: ['<!channel> <script> @everyone [x](https://evil.example)'],
  link: 'https://links.example/dashboard/settings/tokens',
  unlisted: 0,
  footer: 'Link Service, workspace default',
}

it('escapes a message for Slack', () => {
  const { blocks } = JSON.parse(slackBody(notice))
  expect(blocks[1].text.text).toBe(
    '&lt;!channel&gt; &lt;script&gt; @everyone [x](https://evil.example)\n<https://links.example/dashboard/settings/tokens|Open the dashboard>',
  )
})

it('escapes a message for Discord', () => {
  const { embeds, allowed_mentions } = JSON.parse(discordBody(notice))
  expect(embeds[0].description).toContain('\\[x\\]\\(https\\://evil.example\\)')
  expect(allowed_mentions).toEqual({ parse: [] })
})

it('escapes a message for mail', () => {
  const { subject, text, html } = formatMail(notice)
  expect(subject).toBe('A token was created')
  expect(html).not.toContain('<script>')
  expect(text).toContain('https://links.example/dashboard/settings/tokens')
})

it.each([
  ['Slack', slackBody, (body: any) => body.blocks[1].text.text, 3_000],
  ['Discord', discordBody, (body: any) => body.embeds[0].description, 4_096],
])('keeps a long message within the limit of %s', (_name, format, read, limit) => {
  const lines = Array.from({ length: 20 }, () => '>'.repeat(300))
  const text: string = read(JSON.parse(format({ ...notice, lines, unlisted: 10 })))
  expect(text.length).toBeLessThanOrEqual(limit)
  const shown = text.split('\n').filter((line) => line.length >= 300).length
  expect(text).toContain(`\n${30 - shown} more.\n`)
})

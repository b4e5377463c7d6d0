import { noticeTargets } from './notice-setting.js'

it('parses targets, with a list of recipients', () => {
  expect(
    noticeTargets(
      'slack:https://hooks.slack.com/services/a, discord:https://discord.com/api/webhooks/1/b,smtp://u:p%40ss@mail.example/?from=a@x.example&to=b@x.example,c@x.example',
    ),
  ).toEqual({
    targets: [
      { type: 'slack', address: 'https://hooks.slack.com/services/a' },
      { type: 'discord', address: 'https://discord.com/api/webhooks/1/b' },
      { type: 'email', address: 'b@x.example' },
      { type: 'email', address: 'c@x.example' },
    ],
    mail: {
      host: 'mail.example',
      port: 587,
      secure: false,
      user: 'u',
      password: 'p@ss',
      from: 'a@x.example',
    },
  })
})

it('uses port 465 for smtps, and needs no recipient or login', () => {
  const { targets, mail } = noticeTargets('smtps://mail.example/?from=a@x.example')
  expect({ targets, mail }).toEqual({
    targets: [],
    mail: { host: 'mail.example', port: 465, secure: true, user: null, password: null, from: 'a@x.example' },
  })
})

it.each([
  'https://hooks.slack.com/secret',
  'slack:ftp://secret',
  'slack:secret',
  'smtp://u:secret@mail.example/?to=b@x.example',
  'smtp://u:secret@mail.example/?from=invalid',
  'smtp://u:secret@mail.example/?from=a@x.example&cc=b@x.example',
  'smtp://u:sec%ZZret@mail.example/?from=a@x.example',
])('rejects %s without repeating it', (text) => {
  expect(() => noticeTargets(text)).toThrow(/^must /)
  expect(() => noticeTargets(text)).not.toThrow('secret')
})

import { getSecretHint, generateSecret } from './webhook-secrets.js'

it('generates a different secret each time: whsec_ and the base64 of 32 bytes', () => {
  const generated = Array.from({ length: 50 }, generateSecret)
  for (const secret of generated) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
  expect(new Set(generated).size).toBe(50)
})

it.each([
  ['correct horse battery staple', '…aple'],
  ['twelve chars', '…hars'],
  ['eleven char', '…'],
  ['x', '…'],
  ['\u{1F331}'.repeat(11), '…'],
  ['\u{1F331}'.repeat(12), `…${'\u{1F331}'.repeat(4)}`],
])('hints at the secret %j with %j', (secret, hint) => {
  expect(getSecretHint(secret)).toBe(hint)
})

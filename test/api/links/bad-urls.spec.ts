/** Invalid destinations of links are rejected and change nothing. */
import { cases, expectFieldError } from '../../support/bad-input.js'
import { expectBothReject, send } from './bad-input.js'

const objects = [[], {}, [1], { a: 1 }, [['a']], { length: 1, 0: 'a' }]
const nonStrings = [1, 0, -1, 1.5, 1e308, true, false, ...objects]
const badStrings = [
  '',
  ' ',
  '\t',
  '\u00a0\u2003',
  'a\u0000b',
  '\u0000',
  'a\nb',
  'a\u001b[31mb',
  'a\u0085b',
  '\ud800',
]

describe('url', () => {
  it.each(
    cases([
      ...nonStrings,
      ...badStrings,
      null,
      'x',
      'example.com',
      '//example.com',
      '/path',
      'https://',
      'https:///path',
      'http://?x',
      'http://#x',
      'https:example.com',
      'https:/example.com',
      'http:\\\\example.com',
      'https://\\example.com',
      'https://example.com\\@evil.example',
      'javascript:alert(1)',
      'JavaScript://example.com/%0aalert(1)',
      'data:text/html,<script>',
      'vbscript:x',
      'file:///etc/passwd',
      'ftp://example.com',
      'ws://example.com',
      'blob:https://example.com/x',
      'mailto:a@example.com',
      'https://user@example.com',
      'https://user:pass@example.com',
      'https://:@example.com',
      'https://@example.com',
      ' https://example.com',
      'https://example.com ',
      'https://exa mple.com',
      'https://example.com/a b',
      'https://example.com/\r\nSet-Cookie: a=b',
      'https://example.com/\u2028x',
      'https://example.com/\u00a0',
      'ht\ntps://example.com',
      'https://example.com:99999/',
      'https://example.com:x/',
      'https://[::1',
      'https://[example.com]/',
      'https://1.2.3.4.5.6.7.256/',
      'https://%00.example',
      'https://a<b>.example',
      'https://example.com/\ud800',
      `https://example.com/${'a'.repeat(8192)}`,
      `https://e.com/${'€'.repeat(8170)}`,
      `https://${'a'.repeat(100_000)}.example`,
      'http://localhost:0/x',
      'http://127.0.0.1:0/x',
      'http://[::1]:0/x',
      'http://localhost.:0/x',
      'http://foo.localhost:0/x',
    ]),
  )('rejects %s', async (_, url) => expectBothReject('url', url, 'invalid_url'))

  it('is required to create a link', async () => {
    expectFieldError(await send('POST', '{}'), '/url', 'required')
  })
})

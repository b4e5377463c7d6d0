import { ownHosts } from './own-hosts.js'
import { faultOfTarget } from './target-url.js'

const own = ownHosts(['https://go.example.com'], 3000)

describe('the target of a link', () => {
  it.each([
    'https://example.com',
    'http://example.com/a?b=c#d',
    'HTTPS://EXAMPLE.com/%7Euser',
    'https://bücher.example/straße?q=ü#ß',
    'https://例え.テスト/パス',
    'http://192.0.2.1:8080/',
    'http://[2001:db8::1]/',
    'https://example.com/@user',
    'https://example.com/a//b/../c',
    'https://go.example.com.evil.example/',
    `https://example.com/${'a'.repeat(8192 - 20)}`,
    `https://example.com/${'€'.repeat(907)}${'a'.repeat(9)}`,
  ])('may be %s', (url) => {
    expect(faultOfTarget(url, own)).toBeNull()
  })

  it.each([
    '',
    'example.com',
    '//example.com',
    '/path',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http:example.com',
    'http:/example.com',
    'http:\\\\example.com',
    'https://',
    'https://?a',
    'https://user@example.com',
    'https://user:password@example.com',
    'https://@example.com',
    ' https://example.com',
    'https://example.com ',
    'https://exam\tple.com',
    'https://example.com/\r\nSet-Cookie: a=b',
    'https://example.com/\u0000',
    'https://example.com:99999',
    'https://exa mple.com',
    'https://[::1',
    'https://go.example.com/abc',
    'https://GO.example.com:443/abc',
    'https://go.example.com./abc',
    'https://ｇｏ.example.com/abc',
    `https://example.com/${'a'.repeat(8192)}`,
    `https://example.com/${'€'.repeat(907)}${'a'.repeat(10)}`,
    `https://e.com/${'€'.repeat(8170)}`,
    `https://e.com/?q=${'🙂'.repeat(1000)}`,
    'https://example.com/\ud800',
    1,
    null,
    undefined,
    [],
    {},
  ])('may not be %j', (url) => {
    expect(faultOfTarget(url, own)).toEqual(expect.any(String))
  })
})

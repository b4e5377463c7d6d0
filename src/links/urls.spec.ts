import { destinationError, ownHosts } from './urls.js'

const own = ownHosts(['https://go.example.com'], 3000)

describe('the destination of a link', () => {
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
  ])('can be %s', (url) => {
    expect(destinationError(url, own)).toBeNull()
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
  ])('cannot be %j', (url) => {
    expect(destinationError(url, own)).toEqual(expect.any(String))
  })
})

const everyName = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  'a.b.localhost.',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '0x7f.1',
  '2130706433',
  '127.255.0.9',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
]

describe.each([
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'http://go.localhost:3000',
])('a service at %s', (origin) => {
  const isOwn = ownHosts([origin], 3000)

  it.each(everyName)('recognizes %s with its own port', (name) => {
    expect(isOwn(new URL(`http://${name}:3000/a`))).toBe(true)
    expect(isOwn(new URL(`https://${name}:3000/a`))).toBe(true)
  })

  it.each(everyName)('ignores %s with another port', (name) => {
    expect(isOwn(new URL(`http://${name}:3001/a`))).toBe(false)
    expect(isOwn(new URL(`http://${name}/a`))).toBe(false)
  })

  it.each(['localhost.example', 'notlocalhost', '128.0.0.1', '[::2]', '10.0.0.1'])(
    'ignores the host %s',
    (name) => {
      expect(isOwn(new URL(`http://${name}:3000/a`))).toBe(false)
    },
  )
})

it('recognizes its host with the other scheme, to which a proxy may redirect', () => {
  const isOwn = ownHosts(['https://go.example.com', 'http://short.example'], 3000)
  expect(isOwn(new URL('http://go.example.com/a'))).toBe(true)
  expect(isOwn(new URL('https://short.example/a'))).toBe(true)
  expect(isOwn(new URL('https://go.example.com:8443/a'))).toBe(false)
})

it('recognizes the port it listens on behind a proxy with another port', () => {
  const isOwn = ownHosts(['http://localhost', 'https://go.example.com'], 3000)
  for (const url of ['http://127.0.0.1:3000/a', 'http://[::1]/a', 'https://go.example.com/a'])
    expect(isOwn(new URL(url))).toBe(true)
  for (const url of ['https://localhost/a', 'https://go.example.com:3000/a'])
    expect(isOwn(new URL(url))).toBe(false)
})

it('accepts loopback destinations if the service has no loopback origin', () => {
  const isOwn = ownHosts(['https://go.example.com', 'https://api.example.com:8443'], 3000)
  expect(isOwn(new URL('https://api.example.com.:8443/a'))).toBe(true)
  for (const name of everyName) expect(isOwn(new URL(`http://${name}:3000/a`))).toBe(false)
})

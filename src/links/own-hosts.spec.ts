import { ownHosts } from './own-hosts.js'

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
])('the service at %s', (origin) => {
  const isOwn = ownHosts([origin], 3000)

  it.each(everyName)('is meant by %s with its port', (name) => {
    expect(isOwn(new URL(`http://${name}:3000/a`))).toBe(true)
    expect(isOwn(new URL(`https://${name}:3000/a`))).toBe(true)
  })

  it.each(everyName)('is not meant by %s with another port', (name) => {
    expect(isOwn(new URL(`http://${name}:3001/a`))).toBe(false)
    expect(isOwn(new URL(`http://${name}/a`))).toBe(false)
  })

  it.each(['localhost.example', 'notlocalhost', '128.0.0.1', '[::2]', '10.0.0.1'])(
    'is not meant by %s',
    (name) => {
      expect(isOwn(new URL(`http://${name}:3000/a`))).toBe(false)
    },
  )
})

it('the port it listens on is its own too, behind a proxy on another', () => {
  const isOwn = ownHosts(['http://localhost', 'https://go.example.com'], 3000)
  for (const url of ['http://127.0.0.1:3000/a', 'http://[::1]/a', 'https://go.example.com/a'])
    expect(isOwn(new URL(url))).toBe(true)
  for (const url of ['https://localhost/a', 'https://go.example.com:3000/a'])
    expect(isOwn(new URL(url))).toBe(false)
})

it("a visitor's own machine is elsewhere while the service is not on the loopback", () => {
  const isOwn = ownHosts(['https://go.example.com', 'https://api.example.com:8443'], 3000)
  expect(isOwn(new URL('https://api.example.com.:8443/a'))).toBe(true)
  for (const name of everyName) expect(isOwn(new URL(`http://${name}:3000/a`))).toBe(false)
})

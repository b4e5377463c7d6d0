import { parseUrl } from './parse-url.js'

it.each([
  ['https://straẞe.example/', 'xn--strae-oqa.example'],
  ['https://straße.example/', 'xn--strae-oqa.example'],
  ['https://STRASSE.example/', 'strasse.example'],
  ['HTTPS:\\\\Straẞe.example\\a', 'xn--strae-oqa.example'],
  ['https://user@straẞe.example:8443?ẞ#ẞ', 'xn--strae-oqa.example'],
])('reads the host of %s as %s', (text, host) => {
  expect(parseUrl(text)?.hostname).toBe(host)
})

it('changes nothing after the host', () => {
  expect(parseUrl('https://a.example/ẞ?ẞ#ẞ')?.href).toBe('https://a.example/%E1%BA%9E?%E1%BA%9E#%E1%BA%9E')
})

it('returns null for an invalid URL', () => {
  expect(parseUrl('ẞ')).toBeNull()
})

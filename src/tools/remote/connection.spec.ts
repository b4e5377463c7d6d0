import { connect } from './connection.js'

const url = 'http://localhost:3000/api'

it.each([
  ['', /^This command needs a token: set LINK_SERVICE_TOKEN .* login", or use --token-file\./],
  [' ', /not a token/],
  ['lsk\nx', /not a token/],
])('rejects the token %j without printing it', (token, says) => {
  expect(() => connect({ url, token })).toThrow(says)
  expect(() => connect({ url, token })).not.toThrow(/lsk/)
})

it.each([
  ['localhost', /^--url takes a complete URL/],
  ['ftp://localhost/', /^--url takes a complete URL/],
  ['http://me:word@localhost/', /^--url takes a URL without a user name or password/],
  ['http://localhost/api?token=x', /^--url takes a URL without a query/],
])('rejects the URL %s', (wrong, says) => {
  expect(() => connect({ url: wrong, token: 'lsk_x' })).toThrow(says)
  expect(() => connect({ url: wrong, token: 'lsk_x' })).not.toThrow(/word@|token=/)
})

it.each([
  ['http://host:1/api/', 'http://host:1/api'],
  ['http://host:1/api/v1', 'http://host:1/api'],
  ['http://host:1', 'http://host:1'],
  ['https://host/a/b/v1/', 'https://host/a/b'],
])('accepts the URL %s with and without the version', (url, baseUrl) => {
  expect(connect({ url, token: 'lsk_x' }).baseUrl).toBe(baseUrl)
})

import { nodeVersion, publicUrl, spaceLeft } from './environment-checks.js'

it.each([
  ['18.20.8', 'fail'],
  ['20.18.3', 'fail'],
  ['20.19.0', 'ok'],
  ['20.20.2', 'ok'],
  ['22.0.0', 'ok'],
  ['24.1.0', 'ok'],
])('checks Node.js %s: %s', (version, status) => {
  expect(nodeVersion(version).status).toBe(status)
})

const mebibyte = 1024 ** 2

it.each([
  [0, 'fail', '0 MiB'],
  [100 * mebibyte - 1, 'fail', '99 MiB'],
  [100 * mebibyte, 'warn', '100 MiB'],
  [1024 * mebibyte - 1, 'warn', '1023 MiB'],
  [1024 * mebibyte, 'ok', '1.0 GiB'],
])('checks %d free bytes: %s', (free, status, says) => {
  expect(spaceLeft(free, '/data')).toEqual({ status, message: expect.stringContaining(says) })
})

it.each([
  ['https://links.example', 'ok'],
  ['http://localhost:3000', 'ok'],
  ['http://links.localhost', 'ok'],
  ['http://127.0.0.53:8080', 'ok'],
  ['http://[::1]:3000', 'ok'],
  ['http://links.example', 'warn'],
  ['http://notlocalhost', 'warn'],
  ['http://10.0.0.5:3000', 'warn'],
  ['http://[fd00::1]', 'warn'],
])('checks the public URL %s: %s', (url, status) => {
  expect(publicUrl(url).status).toBe(status)
})

import { publicUrl } from './outside-checks.js'

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
])('the public address %s: %s', (address, status) => {
  expect(publicUrl(address).status).toBe(status)
})

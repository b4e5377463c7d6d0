import { nodeVersion } from './machine.js'

it.each([
  ['18.20.8', 'fail'],
  ['20.18.3', 'fail'],
  ['20.19.0', 'ok'],
  ['20.20.2', 'ok'],
  ['22.0.0', 'ok'],
  ['24.1.0', 'ok'],
])('Node.js %s: %s', (version, status) => {
  expect(nodeVersion(version).status).toBe(status)
})

import { nearest } from './nearest.js'

it.each([
  ['scope', ['name', 'scopes', 'json'], 'scopes'],
  ['jsn', ['name', 'json'], 'json'],
  ['lnks list', ['links list', 'links get'], 'links list'],
  ['links lst', ['links list', 'links get'], 'links list'],
  ['desc', ['description', 'name'], 'description'],
  ['colour', ['name', 'json'], null],
  ['', ['all'], null],
])('who writes %j perhaps means one of %j', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant)
})

import { getScreen } from './screen.js'

const terminal = { isTTY: true, columns: 80 } as NodeJS.WriteStream
const pipe = {} as NodeJS.WriteStream

it.each([
  [terminal, {}, { width: 80, hasColor: true }],
  [terminal, { NO_COLOR: '1' }, { width: 80, hasColor: false }],
  [terminal, { NO_COLOR: '' }, { width: 80, hasColor: true }],
  [terminal, { TERM: 'dumb' }, { width: 80, hasColor: false }],
  [terminal, { FORCE_COLOR: '0' }, { width: 80, hasColor: false }],
  [pipe, {}, { width: null, hasColor: false }],
  [pipe, { FORCE_COLOR: '1' }, { width: null, hasColor: true }],
  [pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, { width: null, hasColor: true }],
])('the screen of the stream %j in the environment %j is %j', (stream, env, expected) => {
  expect(getScreen(stream, env)).toEqual(expected)
})

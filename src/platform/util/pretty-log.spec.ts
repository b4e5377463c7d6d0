import { prettyLine } from './pretty-log.js'

const line = '{"level":"warn","time":"2026-01-31T12:00:00.000Z","count":2,"msg":"Waiting.","stack":"at x"}\n'

it('formats a log line as time, level, message and details', () => {
  expect(prettyLine(line, { hasColor: false })).toMatch(/^\d\d:\d\d:\d\d WARN {2}Waiting\. count=2\nat x$/)
})

it('adds color on a terminal', () => {
  expect(prettyLine(line, { hasColor: true })).toContain('\u001b[33mWARN \u001b[0m Waiting.')
})

it.each(['not JSON', '{"a":1}', 'null'])('does not change other lines: %s', (other) => {
  expect(prettyLine(other, { hasColor: true })).toBe(other)
})

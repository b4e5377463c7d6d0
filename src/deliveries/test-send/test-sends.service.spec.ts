import { execFileSync } from 'node:child_process'

import { toCurlCommand } from './test-sends.service.js'

/** Returns the arguments that a shell passes to curl. */
function parseCurlArguments(command: string): string[] {
  const output = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: 'utf8',
    env: { HOME: '/home/someone', LC_ALL: 'C.UTF-8' },
  })
  return output.split('\0').slice(0, -1)
}

const hostile = [
  '{"a":1}',
  `it's`,
  `''`,
  `'; touch /tmp/pwned; '`,
  '"double"',
  '$HOME `id` $(id) ${x} !! ~ *',
  'back\\slash \\n',
  'two\nlines\r\n',
  '\t tab and  spaces ',
  'Grüße \u{1F331} \u2028',
  '&|;<>()[]{}#?%',
]

it.each(hostile)('quotes the body %j', (body) => {
  const command = toCurlCommand({ url: 'https://a.example/', headers: {}, body })
  expect(parseCurlArguments(command)).toEqual([
    '--globoff',
    '-X',
    'POST',
    'https://a.example/',
    '--data-binary',
    body,
  ])
})

it.each(hostile.filter((text) => !/[\r\n]/.test(text)))('quotes %j in URLs and headers', (text) => {
  const url = `https://a.example/${text}`
  const command = toCurlCommand({ url, headers: { 'x-one': text, 'x-two': '2' }, body: '{}' })
  expect(parseCurlArguments(command).slice(3, 8)).toEqual([url, '-H', `x-one: ${text}`, '-H', 'x-two: 2'])
})

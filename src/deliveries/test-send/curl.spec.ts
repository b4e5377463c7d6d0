import { execFileSync } from 'node:child_process'

import { curlOf } from './curl.js'

/** What a shell makes of the line: the arguments that curl would get. */
function argumentsOf(line: string): string[] {
  const output = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`], {
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

it.each(hostile)('a shell gives a body to curl as it is: %j', (body) => {
  const line = curlOf({ url: 'https://a.example/', headers: {}, body })
  expect(argumentsOf(line)).toEqual(['--globoff', '-X', 'POST', 'https://a.example/', '--data-binary', body])
})

it.each(hostile.filter((text) => !/[\r\n]/.test(text)))('and addresses and headers too: %j', (text) => {
  const url = `https://a.example/${text}`
  const line = curlOf({ url, headers: { 'x-one': text, 'x-two': '2' }, body: '{}' })
  expect(argumentsOf(line).slice(3, 8)).toEqual([url, '-H', `x-one: ${text}`, '-H', 'x-two: 2'])
})

/** Files for `POST /v1/imports`, which the document only describes as CSV or NDJSON. */
import fc from 'fast-check'

import { operations } from './document.js'
import type { Drawn, Promised } from './requests.js'
import { generateOddValues, generateValues } from './values.js'

type File = Drawn<{ raw: string; type: string }>

const csv = fc.constantFrom('text/csv', 'text/csv; charset=utf-8')
const ndjson = fc.constant('application/x-ndjson')
const oneLink = operations.find(({ operationId }) => operationId === 'createLink')!.requestBody!.content[
  'application/json'
]!.schema

const longestRecord = 64 * 1024
/** Cells around the maximum record length. A record may fail, but never breaks the file. */
const long = fc
  .integer({ min: longestRecord - 30, max: longestRecord + 30 })
  .map((length) => `https://127.0.0.1:2/${'a'.repeat(length)}`)
const cell = fc.oneof(
  { weight: 4, arbitrary: fc.nat().map((page) => `https://127.0.0.1:2/${page}`) },
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  fc.constantFrom('', '=1+1', '"', 'true', '2030-01-01T00:00:00Z', '\u0000', 'a\nb'),
  long,
)
const quoted = (text: unknown) => `"${String(text).replaceAll('"', '""')}"`
const columns = fc
  .subarray(['slug', 'title', 'tags', 'external_id', 'redirect_status', 'enabled', 'expires_in', 'of nobody'])
  .map((more) => ['url', ...more])

/** Files with a valid header row. They are accepted, and invalid lines are reported. */
const rightCsv = fc
  .tuple(
    columns,
    fc.array(fc.array(cell, { minLength: 1, maxLength: 9 }), { maxLength: 4 }),
    fc.constantFrom(',', ';', '\t'),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\ufeff', '\n\n'),
  )
  .map(
    ([names, rows, separator, end, before]) =>
      before + [names, ...rows.map((row) => row.map(quoted))].map((row) => row.join(separator)).join(end),
  )

/** Malformed files, with unclosed quotes and arbitrary characters. */
const brokenCsv = fc
  .tuple(columns, fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 6 }))
  .map(([names, lines]) => [names.join(','), ...lines.map((line) => line.toWellFormed())].join('\n'))

const refusedCsv = fc.constantFrom(
  '',
  '\n \r\n',
  '\ufeff',
  'name,address\na,b\n',
  'url,url\nhttps://127.0.0.1:2/,x\n',
  `url,${Array.from({ length: 200 }, (_, i) => `column ${i}`).join(',')}\n`,
  '"url\nhttps://127.0.0.1:2/\n',
)

const generateLines = (values: fc.Arbitrary<unknown>) =>
  fc
    .array(values, { minLength: 1, maxLength: 6 })
    .map((lines) => lines.map((line) => JSON.stringify(line)).join('\n'))
const rightNdjson = generateLines(generateValues(oneLink))
const brokenNdjson = generateLines(fc.oneof(generateOddValues(oneLink), fc.jsonValue({ maxDepth: 2 })))

function drawn(
  text: fc.Arbitrary<string>,
  type: fc.Arbitrary<string>,
  promised: Promised,
): fc.Arbitrary<File> {
  return fc.tuple(text, type).map(([raw, each]) => ({ value: { raw, type: each }, promised }))
}

export const importedFiles: fc.Arbitrary<File> = fc.oneof(
  { weight: 8, arbitrary: drawn(rightCsv, csv, 'accepted') },
  { weight: 4, arbitrary: drawn(rightNdjson, ndjson, 'accepted') },
  { weight: 3, arbitrary: drawn(brokenCsv, csv, 'accepted') },
  { weight: 3, arbitrary: drawn(brokenNdjson, ndjson, 'either') },
  { weight: 2, arbitrary: drawn(refusedCsv, csv, 'refused') },
  drawn(
    rightCsv,
    fc.constantFrom('text/plain', 'application/json', 'text/csv; charset=utf-16', ''),
    'refused',
  ),
)

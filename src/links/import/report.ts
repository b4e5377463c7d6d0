/** The report of an import: a line for each line that failed, as CSV or NDJSON. */
import { Readable } from 'node:stream'

import { StreamableFile } from '@nestjs/common'

import { csvLine } from '../../platform/util/csv.js'
import type { FaultsRepository, FaultyLine } from './faults.repository.js'

const linesInPage = 500
const header = csvLine(['line', 'code', 'reason', 'content'])

/** The report is read page by page, as fast as the client takes it. */
export function reportOf(faults: FaultsRepository, importId: string, accept = ''): StreamableFile {
  const isJson = accept.includes('application/x-ndjson')
  const write = isJson ? jsonOf : csvOf
  const pages = async function* () {
    if (!isJson) yield header
    let last = 0
    for (;;) {
      const page = await faults.after(importId, last, linesInPage)
      if (page.length > 0) yield page.map(write).join('')
      if (page.length < linesInPage) return
      last = page.at(-1)!.line
    }
  }
  return new StreamableFile(Readable.from(pages(), { objectMode: false }), {
    type: isJson ? 'application/x-ndjson' : 'text/csv; charset=utf-8',
  })
}

function csvOf({ line, faults, content }: FaultyLine): string {
  const reasons = faults.map(({ field, detail }) => (field === null ? detail : `${field}: ${detail}`))
  return csvLine([line, faults[0]?.code ?? '', reasons.join(' '), content])
}

function jsonOf({ line, faults, content }: FaultyLine): string {
  return `${JSON.stringify({ line, errors: faults, content })}\n`
}

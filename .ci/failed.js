/** `node .ci/failed.js RESULTS…`: prints the spec files that failed, and fails when these are too many to be repeated. */
import { readFileSync } from 'node:fs'

const most = 3
const failed = process.argv
  .slice(2)
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults)
  .filter(({ status }) => status === 'failed')
  .map(({ name }) => name)
if (failed.length === 0 || failed.length > most)
  throw new Error(`${failed.length} spec files failed; at most ${most} are repeated.`)
console.log(failed.join(' '))

/** `node .ci/failed.js RESULTS…`: prints the failed spec files, and fails if there are too many to repeat. */
import { readFileSync } from 'node:fs'

const maxRepeated = 3
const failed = process.argv
  .slice(2)
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults)
  .filter(({ status }) => status === 'failed')
  .map(({ name }) => name)
if (failed.length === 0 || failed.length > maxRepeated)
  throw new Error(`${failed.length} spec files failed. Only 1 to ${maxRepeated} failed files are repeated.`)
console.log(failed.join(' '))

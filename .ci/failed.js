/** `node .ci/failed.js RESULTS…`: prints the failed spec files. Fails if there are none, or too many to rerun. */
import { readFileSync } from 'node:fs'

const maxRepeated = 10
const failed = process.argv
  .slice(2)
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults)
  .filter(({ status }) => status === 'failed')
  .map(({ name }) => name)
if (failed.length === 0 || failed.length > maxRepeated)
  throw new Error(`${failed.length} spec files failed. Only 1 to ${maxRepeated} failed files can be rerun.`)
console.log(failed.join(' '))

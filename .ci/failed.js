/** `node .ci/failed.js RESULTS`: the suites that failed, a line each. More than two are not chance: then none are named. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const mostByChance = 2

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative('.', name))
if (failed.length === 0 || failed.length > mostByChance) process.exit(1)
console.log(failed.join('\n'))

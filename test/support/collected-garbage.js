/** Loaded with `--import`: collects garbage all the time, so that the memory of a process is what it still needs. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
setInterval(collectGarbage, 500).unref()

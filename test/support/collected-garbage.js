/** Loaded with `--import`. Collects garbage continuously, so that memory measurements exclude garbage. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
setInterval(collectGarbage, 500).unref()

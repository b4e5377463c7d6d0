/** Starts one receiver of each hostile kind: `node hostile.js FOLDER`, with the compiled test receivers in FOLDER. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const file = join(process.argv[2], 'test/support/hostile-receivers.js')
const { hostile, startHostileReceiver } = await import(pathToFileURL(file).href)
const receivers = await Promise.all(Object.values(hostile).map((behavior) => startHostileReceiver(behavior)))
process.on('disconnect', () => process.exit(0))
process.send({ urls: receivers.map(({ url }) => url) })

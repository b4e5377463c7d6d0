/** A name server that resolves *.alive.example and never responds for *.dead.example: `node name-server.js FOLDER`. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const file = join(process.argv[2], 'test/support/name-server.js')
const { startNameServer } = await import(pathToFileURL(file).href)
const { address } = await startNameServer((name) =>
  name.endsWith('.dead.example') ? 'silent' : name.endsWith('.alive.example') ? ['127.0.0.1'] : 'not_found',
)
process.on('disconnect', () => process.exit(0))
process.send({ address })

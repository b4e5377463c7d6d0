/** `link-service export`: writes all links of a workspace to standard output. */
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Container } from '../../links/link-fields.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { listenForStop } from '../listen/stop-signals.js'
import { withClient } from '../remote/connection.js'
import type { ApiAccess } from '../remote/api-access.js'
import { definedFields } from '../remote/request-fields.js'
import { formatBytes } from './progress-bar.js'

export async function exportLinks({
  format,
  ...access
}: ApiAccess & { format?: Container | undefined }): Promise<void> {
  const { stop } = listenForStop()
  let bytes = 0
  const count = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      done(null, piece)
    },
  })
  try {
    const links = await withClient(access, (client) =>
      client.links.export(definedFields({ format }), { signal: stop }),
    )
    await pipeline(Readable.from(links), count, process.stdout, { end: false })
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The export stopped after ${formatBytes(bytes)}, so its output is incomplete.`)
  }
  if (process.stderr.isTTY) process.stderr.write(`Exported ${formatBytes(bytes)}.\n`)
}

/** `link-service export`: all links of a workspace, on standard output. */
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { StartupError } from '../../platform/config/startup-error.js'
import { stopSignals } from '../listen/stopping.js'
import { readExportPlan } from './transfer-plan.js'
import { inBytes } from './progress-bar.js'
import { TransferApi } from './transfer-api.js'

export async function exportLinks(
  options: Parameters<typeof readExportPlan>[0],
  token: string | undefined,
): Promise<void> {
  const plan = readExportPlan(options, token)
  const { asked } = stopSignals()
  let bytes = 0
  const count = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      done(null, piece)
    },
  })
  try {
    const links = await new TransferApi(plan, asked).download(
      `/v1/links/export${plan.query && `?${plan.query}`}`,
      '*/*',
    )
    await pipeline(links, count, process.stdout, { end: false })
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The export broke off after ${inBytes(bytes)}: what was written is not complete.`)
  }
  if (process.stderr.isTTY) process.stderr.write(`Exported ${inBytes(bytes)}.\n`)
}

/** Stores clicks that the database permanently rejects in one file, which `doctor` reports. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import { encodeFields, LineBuffer } from './click-line.js'
import type { Click } from './click-line.js'

export function getQuarantineFile(root: string): string {
  return join(root, 'quarantine.clicks')
}

export async function quarantineClick(root: string, click: Click): Promise<void> {
  const lines = new LineBuffer()
  lines.appendLine(encodeFields(click.id, click))
  await appendFile(getQuarantineFile(root), lines.getBytes(), { mode: 0o600 })
}

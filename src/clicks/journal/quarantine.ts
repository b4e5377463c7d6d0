/** Stores clicks that the database permanently rejects in one file, which `doctor` reports. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import { encodeFields, LineBuffer } from './click-line.js'
import type { Click } from './click-line.js'

export function quarantineFile(root: string): string {
  return join(root, 'quarantine.clicks')
}

export async function quarantineClick(root: string, click: Click): Promise<void> {
  const lines = new LineBuffer()
  lines.add(encodeFields(click.id, click))
  await appendFile(quarantineFile(root), lines.bytes(), { mode: 0o600 })
}

/** Clicks that the database can never take are kept in one file, in which `doctor` finds them. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'

import { fieldsOf, LineBuffer } from './click-line.js'
import type { Click } from './click-line.js'

export function quarantineFile(root: string): string {
  return join(root, 'quarantine.clicks')
}

export async function quarantineClick(root: string, click: Click): Promise<void> {
  const lines = new LineBuffer()
  lines.add(fieldsOf(click.id, click))
  await appendFile(quarantineFile(root), lines.bytes(), { mode: 0o600 })
}

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { backupFormat, formatVersion, readBackupHeader, toLine } from './backup-format.js'

it('closes a file after reading its header', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'link-service-backup-'))
  const file = join(folder, 'large.backup.gz')
  // Too large to be read to its end by one read.
  writeFileSync(
    file,
    gzipSync(Buffer.concat([toLine({ format: backupFormat, formatVersion }), randomBytes(1_000_000)])),
  )
  const openFiles = () => readdirSync('/dev/fd').length
  const before = openFiles()
  const times = 50
  for (let i = 0; i < times; i++) await readBackupHeader(file)
  expect(openFiles() - before).toBeLessThan(times / 2)
  rmSync(folder, { recursive: true })
})

/**
 * The format of a backup, which is compressed with gzip. The first line is the header. Each table follows as a line with
 * its name and columns, its rows in PostgreSQL's text format for COPY, and a line `\.`. The last line has the number of
 * rows of each table, and the SHA-256 hash of everything before it.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { ReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

import { StartupError } from '../../platform/config/startup-error.js'

export const backupFormat = 'link-service-backup'
export const formatVersion = 1

export interface BackupHeader {
  format: typeof backupFormat
  formatVersion: number
  /** The version of the service. */
  version: string
  /** The time of the snapshot. */
  takenAt: string
  /** Whether the running service created the backup, and may delete it. */
  isScheduled: boolean
  /** The names of the applied migrations. */
  migrations: string[]
  feed: {
    /** The identifier of the PostgreSQL cluster. */
    cluster: string
    /** The feed place of every row precedes this transaction. */
    position: string
  }
  secrets: SecretFingerprint[]
  /** Clicks in the journals of this data folder, which are not part of the backup. */
  journal: { clicks: number; bytes: number }
  tables: BackupTable[]
}

interface SecretFingerprint {
  setting: string
  fingerprint: string
}

export interface BackupTable {
  name: string
  columns: string[]
  /** The names of its partitions. Empty if the table is not partitioned. */
  partitions: string[]
}

export interface BackupEnd {
  rows: Record<string, number>
  sha256: string
}

/** The line after the rows of a table, as in the output of psql. No row of COPY is equal to it. */
export const endOfRows = Buffer.from('\\.\n')
const endOfRowsAfterLine = Buffer.from('\n\\.\n')
const newline = 0x0a

export function toLine(document: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`)
}

/** Reads a backup from its start. Throws a StartupError if the file is damaged. */
export class BackupReader {
  private readonly source: ReadStream
  private readonly chunks: AsyncIterator<Buffer, undefined>
  private readonly hash = createHash('sha256')
  private unread = Buffer.alloc(0)

  constructor(private readonly file: string) {
    this.source = createReadStream(file)
    const unzipped = createGunzip()
    this.source.on('error', (error) => unzipped.destroy(error))
    this.chunks = this.source.pipe(unzipped)[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  }

  async readHeader(): Promise<BackupHeader> {
    const header = await this.readDocument<Partial<BackupHeader>>()
    if (header.format !== backupFormat)
      throw new StartupError(`${this.file} is not a backup of Link Service.`)
    if (header.formatVersion !== formatVersion)
      throw new StartupError(
        `${this.file} is a backup of Link Service ${header.version}, whose format this version cannot read. Restore it with version ${header.version} or newer.`,
      )
    return header as BackupHeader
  }

  /** Yields every table with its rows. Read all rows of a table before the next table. */
  async *readTables({ tables }: BackupHeader): AsyncGenerator<[BackupTable, AsyncGenerator<Buffer>]> {
    for (const table of tables) {
      const { name } = await this.readDocument<Partial<BackupTable>>()
      if (name !== table.name) throw this.damaged(`the table ${table.name} is missing`)
      yield [table, this.readRows()]
    }
  }

  /** Reads the last line. Throws if the file has other contents than when it was written. */
  async readEnd(): Promise<BackupEnd> {
    const sha256 = this.hash.digest('hex')
    const end = parse(await this.takeLine()) as Partial<BackupEnd> | null
    if (end?.sha256 !== sha256 || !end.rows) throw this.damaged('its checksum is wrong')
    if ((await this.readMore()) || this.unread.length > 0) throw this.damaged('it continues after its end')
    return { rows: end.rows, sha256 }
  }

  async close(): Promise<void> {
    await this.chunks.return?.()
    // The end of the iterator leaves the file open.
    this.source.destroy()
  }

  private async readDocument<T>(): Promise<T> {
    const line = await this.takeLine()
    this.hash.update(line)
    const document = parse(line) as T | null
    if (document === null) throw this.damaged('a line is not valid JSON')
    return document
  }

  private async *readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      const rows = await this.takeRows()
      if (rows.length === 0) break
      this.hash.update(rows)
      yield rows
    }
    this.hash.update(endOfRows)
  }

  /** Returns complete rows. Returns none, and skips the line after the rows, at the end of a table. */
  private async takeRows(): Promise<Buffer> {
    for (;;) {
      if (this.unread.subarray(0, endOfRows.length).equals(endOfRows)) {
        this.take(endOfRows.length)
        return Buffer.alloc(0)
      }
      const end = this.unread.indexOf(endOfRowsAfterLine)
      if (end >= 0) return this.take(end + 1)
      // A start of `\.` may be the end of the table.
      const lastLine = this.unread.lastIndexOf(newline)
      if (lastLine >= endOfRows.length) return this.take(lastLine + 1)
      await this.requireMore()
    }
  }

  private async takeLine(): Promise<Buffer> {
    for (;;) {
      const end = this.unread.indexOf(newline)
      if (end >= 0) return this.take(end + 1)
      await this.requireMore()
    }
  }

  private take(length: number): Buffer {
    const taken = this.unread.subarray(0, length)
    this.unread = this.unread.subarray(length)
    return taken
  }

  private async requireMore(): Promise<void> {
    if (!(await this.readMore())) throw this.damaged('its end is missing')
  }

  private async readMore(): Promise<boolean> {
    try {
      const { value, done } = await this.chunks.next()
      if (done) return false
      this.unread = Buffer.concat([this.unread, value])
      return true
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') throw new StartupError(`There is no file ${this.file}.`)
      if (code === 'Z_BUF_ERROR') throw this.damaged('its end is missing')
      if (code === 'Z_DATA_ERROR') throw this.damaged(message)
      throw new StartupError(`${this.file} cannot be read: ${message}.`)
    }
  }

  private damaged(reason: string): StartupError {
    return new StartupError(
      `${this.file} is not a complete backup: ${reason}. Use another backup, or copy the file again.`,
    )
  }
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return null
  }
}

export async function readBackupHeader(file: string): Promise<BackupHeader> {
  const reader = new BackupReader(file)
  try {
    return await reader.readHeader()
  } finally {
    await reader.close()
  }
}

/** Reads the whole file, and throws if it is damaged. */
export async function verifyBackup(file: string): Promise<BackupHeader & BackupEnd> {
  const reader = new BackupReader(file)
  try {
    const header = await reader.readHeader()
    for await (const [, rows] of reader.readTables(header)) await readToEnd(rows)
    return { ...header, ...(await reader.readEnd()) }
  } finally {
    await reader.close()
  }
}

export async function readToEnd(rows: AsyncGenerator<Buffer>): Promise<void> {
  while (!(await rows.next()).done);
}

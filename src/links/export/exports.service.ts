import { Readable } from 'node:stream'

import { Inject, Injectable, Logger, StreamableFile } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { directUrl } from '../../platform/database/pooler.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { linkFieldNames } from '../link-fields.dto.js'
import type { Container } from '../link-fields.js'
import { LinkDto } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { allLinks } from '../list-links.js'
import { csvLine, csvList } from '../../platform/util/csv.js'
import { ExportSnapshot } from './export-snapshot.js'
import type { ExportLinksQuery } from './export.dto.js'

const maxPerWorkspace = 2
/** Each export uses a separate database connection. */
const maxPerProcess = 4
const timeoutMs = 10 * 60_000
const retryAfterSeconds = '10'

const types: Record<Container, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}

@Injectable()
export class ExportsService implements OnModuleDestroy {
  private readonly logger = new Logger(ExportsService.name)
  /** The running exports, with their workspaces. */
  private readonly running = new Map<object, { workspaceId: string; end: (reason: Error) => void }>()

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  async export(caller: Caller, query: ExportLinksQuery): Promise<StreamableFile> {
    const { format = 'csv' } = query
    const slot = this.takeSlot(caller.workspaceId)
    try {
      const snapshot = await ExportSnapshot.open(
        directUrl(this.settings),
        timeoutMs,
        allLinks(caller.workspaceId, query, query.sort),
      )
      return new StreamableFile(this.stream(slot, snapshot, format), {
        type: types[format],
        disposition: `attachment; filename="links.${format}"`,
      }).setErrorLogger(({ message }) => this.logger.warn(`An export ended early: ${message}`))
    } catch (error) {
      this.running.delete(slot)
      throw error
    }
  }

  onModuleDestroy(): void {
    for (const { end } of this.running.values()) end(new Error('the service is stopping'))
  }

  private takeSlot(workspaceId: string): object {
    const ofWorkspace = [...this.running.values()].filter((each) => each.workspaceId === workspaceId)
    if (ofWorkspace.length >= maxPerWorkspace)
      throw tooMany(`A workspace can run ${maxPerWorkspace} exports at a time.`)
    if (this.running.size >= maxPerProcess) throw tooMany('The service is running too many exports.')
    const slot = {}
    this.running.set(slot, { workspaceId, end: () => undefined })
    return slot
  }

  /**
   * Releases the connection and the slot when the stream ends, is closed by the client, or times out, even if the
   * database does not respond.
   */
  private stream(slot: object, snapshot: ExportSnapshot, format: Container): Readable {
    const pages = this.pages(snapshot, format)
    const stream = new Readable({
      read: () => {
        pages.next().then(
          ({ value, done }) => stream.push(done ? null : value),
          (error: Error) => stream.destroy(error),
        )
      },
      destroy: (error, done) => {
        clearTimeout(timer)
        this.running.delete(slot)
        void snapshot.close()
        done(error)
      },
    })
    const end = (reason: Error) => stream.destroy(reason)
    const timer = setTimeout(() => end(new Error('it took longer than ten minutes')), timeoutMs).unref()
    const { workspaceId } = this.running.get(slot)!
    this.running.set(slot, { workspaceId, end })
    return stream
  }

  private async *pages(snapshot: ExportSnapshot, format: Container): AsyncGenerator<string> {
    const base = this.settings.shortUrlBase
    const write = (row: LinkRow) => writers[format](LinkDto.from(row, base))
    if (format === 'csv') yield csvLine(exportColumns)
    for (;;) {
      const rows = await snapshot.readRows()
      if (rows.length === 0) return
      yield rows.map(write).join('')
    }
  }
}

function tooMany(reason: string): Problem {
  return new Problem('rate_limited', {
    detail: `${reason} Try again when one ends.`,
    headers: { 'retry-after': retryAfterSeconds },
  })
}

/** The columns that imports read come first, followed by the columns that imports ignore. */
export const exportColumns = [
  'url',
  'slug',
  ...linkFieldNames.filter((name) => name !== 'url'),
  'id',
  'short_url',
  'clicks_total',
  'clicks_human',
  'last_clicked_at',
  'created_at',
  'updated_at',
] as const

const writers: Record<Container, (link: LinkDto) => string> = {
  ndjson: (link) => `${JSON.stringify(link)}\n`,
  csv: ({ clicks, ...link }) => {
    const cells = {
      ...link,
      tags: csvList(link.tags),
      clicks_total: clicks.total,
      clicks_human: clicks.human,
    }
    return csvLine(exportColumns.map((name) => cells[name]))
  },
}

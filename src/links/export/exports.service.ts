import { Readable } from 'node:stream'

import { Inject, Injectable, Logger, StreamableFile } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { directUrl } from '../../platform/database/pooler.js'
import { Problem } from '../../platform/http/problems/problem.js'
import { linkFieldNames } from '../link-fields.dto.js'
import { LinkDto } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { allLinks } from '../list-links.js'
import { csvLine, csvList } from '../../platform/util/csv.js'
import { ExportSnapshot } from './export-snapshot.js'
import type { ExportFormat, ExportLinksQuery } from './export.dto.js'

const atOnceInWorkspace = 2
/** Each export has a database connection of its own. */
const atOnceInProcess = 4
const mayTakeMs = 10 * 60_000
const askAgainSeconds = '10'

const types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}

@Injectable()
export class ExportsService implements OnModuleDestroy {
  private readonly logger = new Logger(ExportsService.name)
  /** The exports under way: the workspace of each, and how to end it. */
  private readonly running = new Map<object, { workspaceId: string; end: (reason: Error) => void }>()

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  async export(caller: Caller, query: ExportLinksQuery): Promise<StreamableFile> {
    const { format = 'csv' } = query
    const slot = this.takeSlot(caller.workspaceId)
    try {
      const snapshot = await ExportSnapshot.open(
        directUrl(this.settings),
        mayTakeMs,
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
    for (const { end } of this.running.values()) end(new Error('the service stops'))
  }

  private takeSlot(workspaceId: string): object {
    const ofWorkspace = [...this.running.values()].filter((each) => each.workspaceId === workspaceId)
    if (ofWorkspace.length >= atOnceInWorkspace)
      throw tooMany(`${atOnceInWorkspace} exports of a workspace run at a time.`)
    if (this.running.size >= atOnceInProcess) throw tooMany('Too many exports run at this moment.')
    const slot = {}
    this.running.set(slot, { workspaceId, end: () => undefined })
    return slot
  }

  /**
   * Frees the connection and the slot when the stream was read to its end, left by the client, or timed out, also while
   * the database gives no answer.
   */
  private stream(slot: object, snapshot: ExportSnapshot, format: ExportFormat): Readable {
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
    const timer = setTimeout(() => end(new Error('it took longer than ten minutes')), mayTakeMs).unref()
    const { workspaceId } = this.running.get(slot)!
    this.running.set(slot, { workspaceId, end })
    return stream
  }

  private async *pages(snapshot: ExportSnapshot, format: ExportFormat): AsyncGenerator<string> {
    const base = this.settings.shortUrlBase
    const write = (row: LinkRow) => writers[format](LinkDto.from(row, base))
    if (format === 'csv') yield csvLine(columns)
    for (;;) {
      const rows = await snapshot.next()
      if (rows.length === 0) return
      yield rows.map(write).join('')
    }
  }
}

function tooMany(why: string): Problem {
  return new Problem('rate_limited', {
    detail: `${why} Wait for one of them to end.`,
    headers: { 'retry-after': askAgainSeconds },
  })
}

/** First the columns that the import takes, then those that it leaves out. */
export const columns = [
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

const writers: Record<ExportFormat, (link: LinkDto) => string> = {
  ndjson: (link) => `${JSON.stringify(link)}\n`,
  csv: ({ clicks, ...link }) => {
    const cells = {
      ...link,
      tags: csvList(link.tags),
      clicks_total: clicks.total,
      clicks_human: clicks.human,
    }
    return csvLine(columns.map((name) => cells[name]))
  },
}

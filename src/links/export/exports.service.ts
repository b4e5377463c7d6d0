import { Readable } from 'node:stream'

import { Inject, Injectable, Logger, StreamableFile } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { directUrl } from '../../platform/database/pooler.js'
import { ExportSlots } from '../../platform/http/export-slots.js'
import { unavailableRetryAfter, Problem } from '../../platform/http/problems/problem.js'
import { linkFieldNames } from '../link-fields.dto.js'
import type { Container } from '../link-fields.js'
import { LinkDto } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { allLinks } from '../list-links.js'
import { csvLine, csvList } from '../../platform/util/csv.js'
import { ExportSnapshot } from './export-snapshot.js'
import type { ExportLinksQuery } from './export.dto.js'

const timeoutMs = 10 * 60_000

const types: Record<Container, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}

@Injectable()
export class ExportsService implements OnModuleDestroy {
  private readonly logger = new Logger(ExportsService.name)
  private readonly stopping = new AbortController()

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly slots: ExportSlots,
  ) {}

  async export(caller: Caller, query: ExportLinksQuery): Promise<StreamableFile> {
    const { format = 'csv' } = query
    const release = this.slots.takeSlot(caller.workspaceId)
    try {
      const snapshot = await ExportSnapshot.open(
        directUrl(this.settings),
        timeoutMs,
        allLinks(caller, query, query.sort),
        this.stopping.signal,
      )
      const stream = this.stream(release, snapshot, format)
      stream.on('error', (error) => this.logger.warn(`An export ended early: ${getAbortReason(error)}`))
      return new StreamableFile(stream, {
        type: types[format],
        disposition: `attachment; filename="links.${format}"`,
      })
    } catch (error) {
      release()
      throw error
    }
  }

  onModuleDestroy(): void {
    this.stopping.abort(
      new Problem('unavailable', {
        detail: 'The service is stopping.',
        headers: { 'retry-after': unavailableRetryAfter },
      }),
    )
  }

  /**
   * Releases the connection and the slot when the stream ends, is closed by the client, or times out, even if the
   * database does not respond.
   */
  private stream(release: () => void, snapshot: ExportSnapshot, format: Container): Readable {
    const pages = this.pages(snapshot, format)
    const stream = new Readable({
      signal: this.stopping.signal,
      read: () => {
        pages.next().then(
          ({ value, done }) => stream.push(done ? null : value),
          (error: Error) => stream.destroy(error),
        )
      },
      destroy: (error, done) => {
        clearTimeout(timer)
        release()
        void snapshot.close()
        done(error)
      },
    })
    const timer = setTimeout(
      () => stream.destroy(new Error(`It took longer than ${timeoutMs / 60_000} minutes.`)),
      timeoutMs,
    ).unref()
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

/** An aborted signal destroys the stream with an error whose cause is the reason. */
function getAbortReason({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
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

import { Inject, Injectable } from '@nestjs/common'

import { ListAuditQuery } from '../../audit/audit.dto.js'
import { AuditService } from '../../audit/audit.service.js'
import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { decodeId } from '../../platform/database/ids.js'
import { Cursors } from '../../platform/http/input/page.js'
import type { Page, PageQuery } from '../../platform/http/input/page.js'
import { currentMs } from '../../platform/util/clock.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { LinkDto } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { compileLink } from '../redirect/compiled-link.js'
import { isSlug } from '../urls.js'
import { LinkChangeDto } from './links-reading.dto.js'
import type { TagDto } from './links-reading.dto.js'
import { LinksReadingRepository } from './links-reading.repository.js'
import type { TagLinks } from './links-reading.repository.js'
import { resolve } from './resolve.dto.js'
import type { ResolutionDto, ResolveQuery } from './resolve.dto.js'

@Injectable()
export class LinksReadingService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly links: LinksReadingRepository,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
  ) {}

  async bySlug({ workspaceId }: Caller, slug: string): Promise<LinkDto> {
    // Text that is not a slug names no link, and PostgreSQL would refuse some of it, such as a NUL.
    const found = isSlug(slug) ? await this.links.findBySlug(workspaceId, slug) : null
    if (!found || found.deleted_at) throw notFound('link', 'slug')
    return this.show(found)
  }

  async resolve({ workspaceId }: Caller, { slug, at, query = '' }: ResolveQuery): Promise<ResolutionDto> {
    const found = await this.links.findBySlug(workspaceId, slug)
    const time = at === undefined ? currentMs() : Date.parse(at)
    const compiled = found && compileLink({ ...found, workspace_id: workspaceId })
    return resolve(compiled, found && this.show(found), time, query)
  }

  tags({ workspaceId }: Caller, query: PageQuery): Promise<Page<TagDto>> {
    return this.cursors.page(query, `tags of ${workspaceId}`, {
      read: (after, limit) =>
        this.links.listTags(workspaceId, after === null ? null : (JSON.parse(after) as TagLinks), limit),
      position: (row) => JSON.stringify(row),
      show: (row) => row,
    })
  }

  /** Works for deleted links too, because the history says who deleted them. */
  async history({ workspaceId }: Caller, id: string, query: PageQuery): Promise<Page<LinkChangeDto>> {
    const linkId = decodeId('lnk', id)
    if (!linkId || !(await this.links.isKnown(workspaceId, linkId))) throw notFound('link')
    const entries = Object.assign(new ListAuditQuery(), query, { object_id: id })
    const page = await this.audit.list(workspaceId, entries)
    return page.showing(page.data.map((entry) => LinkChangeDto.from(entry)))
  }

  private show(link: LinkRow): LinkDto {
    return LinkDto.from(link, this.settings.shortUrlBase)
  }
}

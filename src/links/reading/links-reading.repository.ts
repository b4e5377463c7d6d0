/** Looks links up for reading, including deleted ones. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { run } from '../../platform/database/statements.js'
import { type LinkRow, linkColumns, linksWithCounters } from '../link.entity.js'

const findSlugIn = {
  name: 'find-slug-in-workspace',
  text: `
    SELECT ${linkColumns}, link.deleted_at FROM ${linksWithCounters}
    WHERE link.slug = $1 AND link.workspace_id = $2`,
}

const isKnown = {
  name: 'is-link-known',
  text: 'SELECT 1 FROM links WHERE id = $1 AND workspace_id = $2',
}

@Injectable()
export class LinksReadingRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Finds deleted links too. */
  async findBySlug(
    workspaceId: string,
    slug: string,
  ): Promise<(LinkRow & { deleted_at: Date | null }) | null> {
    const values = [slug, workspaceId]
    const [found] = await run<LinkRow & { deleted_at: Date | null }>(
      this.dataSource.manager,
      findSlugIn,
      values,
    )
    return found ?? null
  }

  /** True for deleted links too. */
  async isKnown(workspaceId: string, id: string): Promise<boolean> {
    return (await run(this.dataSource.manager, isKnown, [id, workspaceId])).length > 0
  }
}

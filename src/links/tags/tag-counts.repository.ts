import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { listStatement, run } from '../../platform/database/statements.js'

export interface TagLinks {
  tag: string
  links: number
}

/**
 * Several workers may run this at once: each one takes changes that no other has, and all write the counts in one
 * order. A count may be below zero for a while, when the removal of a tag is added before its addition. Together with
 * the remaining changes it is right.
 */
const addUp = {
  name: 'add-up-tags',
  text: `
    WITH free AS MATERIALIZED (
      SELECT workspace_id, id FROM tag_changes ORDER BY workspace_id, id LIMIT $1 FOR UPDATE SKIP LOCKED
    ), taken AS (
      DELETE FROM tag_changes change USING free
      WHERE change.workspace_id = free.workspace_id AND change.id = free.id
      RETURNING change.workspace_id, change.tag, change.links
    ), added AS (
      INSERT INTO tag_counts (workspace_id, tag, links)
      SELECT workspace_id, tag, sum(links) FROM taken GROUP BY workspace_id, tag ORDER BY workspace_id, tag
      ON CONFLICT (workspace_id, tag) DO UPDATE SET links = tag_counts.links + excluded.links
    )
    SELECT count(*)::int AS count FROM taken`,
}

/** A count that was zero may have grown meanwhile, so the row is looked at again once it is locked. */
const forgetUnused = {
  name: 'forget-unused-tags',
  text: `
    DELETE FROM tag_counts WHERE (workspace_id, tag) IN (
      SELECT workspace_id, tag FROM tag_counts WHERE links = 0 ORDER BY workspace_id, tag FOR UPDATE SKIP LOCKED
    ) AND links = 0`,
}

@Injectable()
export class TagCountsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The most used tags first. The numbers include changes that are not added up yet. */
  list(workspaceId: string, after: TagLinks | null, limit: number): Promise<TagLinks[]> {
    const values = [workspaceId, ...(after ? [after.links, after.tag] : [])]
    const isLater = after ? 'AND (sum(links) < $2 OR (sum(links) = $2 AND tag > $3))' : ''
    const text = `
      SELECT tag, sum(links)::int AS links FROM (
        SELECT tag, links FROM tag_counts WHERE workspace_id = $1
        UNION ALL SELECT tag, links FROM tag_changes WHERE workspace_id = $1
      ) AS counted
      GROUP BY tag HAVING sum(links) > 0 ${isLater} ORDER BY links DESC, tag LIMIT ${limit}`
    return run<TagLinks & object>(this.dataSource.manager, listStatement('list-tags', text, limit), values)
  }

  /** Returns how many changes it added up. Fewer than `most` means that none are left to take. */
  async addUp(most: number): Promise<number> {
    const [taken] = await run<{ count: number }>(this.dataSource.manager, addUp, [most])
    return taken!.count
  }

  async forgetUnused(): Promise<void> {
    await run(this.dataSource.manager, forgetUnused, [])
  }
}

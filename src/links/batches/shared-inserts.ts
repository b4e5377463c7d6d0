/**
 * Lets single links that are made at the same time share statements. Links of a workspace that come while others of it
 * are being written go into its next statement. With eight links in one statement, each costs PostgreSQL less than
 * half of what it costs alone.
 */
import { Injectable } from '@nestjs/common'
import { InjectEntityManager } from '@nestjs/typeorm'
import { EntityManager } from 'typeorm'

import { BatchedCalls } from '../../platform/util/batching.js'
import type { BatchLimits } from '../../platform/util/batching.js'
import { LinksRepository } from '../links.repository.js'
import { LinkBatchesRepository } from './link-batches.repository.js'
import type { NewLink } from './link-batches.repository.js'

/** Two statements, so that PostgreSQL works on one while the other waits for the disk. */
const limits: BatchLimits<NewLink> = { most: 100, atOnce: 2 }

interface Queue {
  /** Inserts a link, and answers whether it was stored. */
  inserts: BatchedCalls<NewLink, boolean>
  /** The number of links that are not stored yet. */
  size: number
}

@Injectable()
export class SharedInserts {
  /** Each workspace that makes links right now has its own queue, so none waits for another or fails with it. */
  private readonly queues = new Map<string, Queue>()

  constructor(
    @InjectEntityManager() private readonly db: EntityManager,
    private readonly links: LinksRepository,
    private readonly batches: LinkBatchesRepository,
  ) {}

  /**
   * False when the slug is taken. Only for links with a generated slug and without an external id: another transaction
   * could hold up a link with a chosen key, and that link would hold up all others in its statement.
   */
  async insert(link: NewLink): Promise<boolean> {
    const { workspaceId } = link.actor
    const queue = this.queues.get(workspaceId) ?? this.open(workspaceId)
    queue.size += 1
    try {
      return await queue.inserts.ask(link)
    } finally {
      queue.size -= 1
      if (queue.size === 0) this.queues.delete(workspaceId)
    }
  }

  private open(workspaceId: string): Queue {
    const write = async (batch: NewLink[]) => {
      const stored = await this.store(workspaceId, batch)
      return ({ row }: NewLink) => stored.has(row.id)
    }
    const queue = { inserts: new BatchedCalls(limits, write), size: 0 }
    this.queues.set(workspaceId, queue)
    return queue
  }

  private async store(workspaceId: string, batch: readonly NewLink[]): Promise<Set<string>> {
    const [first] = batch
    // For one link, the statement of one link is quicker.
    if (!first || batch.length > 1) return this.batches.insertOfMany(this.db, workspaceId, batch)
    const { actor, row, event } = first
    return new Set((await this.links.insert(actor, row, event)) ? [row.id] : [])
  }
}

/**
 * Lets retention drop a partition only after all its clicks are counted. `kept_from` is the end of the last dropped
 * partition: individual clicks from before that time can no longer be read.
 */
import { Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { clickPartitions } from '../../clicks/click.entity.js'
import { PartitionMaintenance } from '../../platform/database/partition-maintenance.js'
import type { Partition } from '../../platform/database/partitions.js'

@Injectable()
export class KeptClicks implements OnModuleInit {
  constructor(private readonly partitions: PartitionMaintenance) {}

  onModuleInit(): void {
    this.partitions.guard(clickPartitions, (tx, partition) => mayDropClicks(tx, partition))
  }
}

/**
 * Returns whether a partition can be dropped, and if so stores the new `kept_from`. The caller must lock the partition
 * first to block new clicks.
 */
export async function mayDropClicks(
  tx: EntityManager,
  { name, end }: Pick<Partition, 'name' | 'end'>,
): Promise<boolean> {
  const [row]: { hasPending: boolean }[] = await tx.query(
    `SELECT EXISTS (
       SELECT FROM workspaces AS workspace LEFT JOIN analytics_places AS place ON place.workspace_id = workspace.id
       WHERE EXISTS (
         SELECT FROM "${name}" AS click WHERE click.workspace_id = workspace.id AND click.tx >= coalesce(place.tx, 0)
       )
     ) AS "hasPending"`,
  )
  if (row!.hasPending) return false
  await tx.query('UPDATE click_retention SET kept_from = greatest(kept_from, $1)', [end])
  return true
}

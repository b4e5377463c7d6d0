/**
 * Keeps clicks that are not counted yet: retention drops a partition only when all its clicks are. `kept_from` is the
 * time since which all clicks can be read one by one.
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

/** Whether a partition may be dropped. The caller locks it first, so no more clicks are written into it. */
export async function mayDropClicks(
  tx: EntityManager,
  { name, end }: Pick<Partition, 'name' | 'end'>,
): Promise<boolean> {
  const [row]: { isNeeded: boolean }[] = await tx.query(
    `SELECT EXISTS (
       SELECT FROM workspaces AS workspace LEFT JOIN analytics_places AS place ON place.workspace_id = workspace.id
       WHERE EXISTS (
         SELECT FROM "${name}" AS click WHERE click.workspace_id = workspace.id AND click.tx >= coalesce(place.tx, 0)
       )
     ) AS "isNeeded"`,
  )
  if (row!.isNeeded) return false
  await tx.query('UPDATE click_retention SET kept_from = greatest(kept_from, $1)', [end])
  return true
}

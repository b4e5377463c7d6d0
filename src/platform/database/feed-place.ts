/** Places in a feed, which is read in the order of (transaction number, id). */
import type { EntityManager } from 'typeorm'

export interface FeedPlace {
  tx: string
  id: string
}

export const feedStart: FeedPlace = { tx: '0', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Behind all that feeds may show at this moment. What transactions that still run will bring comes after it, and so does
 * what is held back because of them.
 */
export async function feedEnd(manager: EntityManager): Promise<FeedPlace> {
  const [row]: { tx: string }[] = await manager.query(
    'SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text AS tx',
  )
  return { tx: row!.tx, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
}

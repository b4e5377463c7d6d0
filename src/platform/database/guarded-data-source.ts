/**
 * A data source whose pool is out of reach inside a transaction. If each open transaction waited for a second
 * connection, the pool would be exhausted and none of them could continue. Code in a transaction uses its `tx` instead.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

import { DataSource } from 'typeorm'
import type { DataSourceOptions, EntityManager, QueryRunner, ReplicationMode } from 'typeorm'
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js'

type Work<T> = (tx: EntityManager) => Promise<T>

/** Work that a transaction started may outlive it, so the transaction also says when it has ended. */
const current = new AsyncLocalStorage<{ isOpen: boolean }>()

export class GuardedDataSource extends DataSource {
  /** TypeORM calls this for everything that needs a connection of the pool. */
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    if (current.getStore()?.isOpen)
      throw new Error('The connection pool is out of reach inside a transaction. Use its `tx`.')
    return super.createQueryRunner(mode)
  }

  override transaction<T>(work: Work<T>): Promise<T>
  override transaction<T>(isolation: IsolationLevel, work: Work<T>): Promise<T>
  override transaction<T>(...given: [Work<T>] | [IsolationLevel, Work<T>]): Promise<T> {
    const work = given.at(-1) as Work<T>
    const guarded: Work<T> = async (tx) => {
      const transaction = { isOpen: true }
      try {
        return await current.run(transaction, () => work(tx))
      } finally {
        transaction.isOpen = false
      }
    }
    const [isolation] = given
    return typeof isolation === 'string' ? super.transaction(isolation, guarded) : super.transaction(guarded)
  }
}

/**
 * Only tests guard the pool, and they run every transaction. Following calls through promises slows each call by a
 * fifth on Node 20.
 */
export function newDataSource(options: DataSourceOptions): DataSource {
  return process.env['NODE_ENV'] === 'test' ? new GuardedDataSource(options) : new DataSource(options)
}

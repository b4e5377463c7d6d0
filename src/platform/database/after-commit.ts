/** Runs callbacks after a transaction has committed. */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager, EntitySubscriberInterface, QueryRunner, TransactionCommitEvent } from 'typeorm'

const pendingCallbacks = new WeakMap<QueryRunner, (() => void)[]>()

export function afterCommit(tx: EntityManager, callback: () => void): void {
  const runner = tx.queryRunner
  if (!runner?.isTransactionActive) throw new Error('afterCommit needs an open transaction')
  const callbacks = pendingCallbacks.get(runner)
  if (callbacks) callbacks.push(callback)
  else pendingCallbacks.set(runner, [callback])
}

/**
 * Like `afterCommit`, but runs the callback immediately outside a transaction, where statements commit on their own.
 */
export function onceCommitted(db: EntityManager, callback: () => void): void {
  if (db.queryRunner?.isTransactionActive) afterCommit(db, callback)
  else callback()
}

@Injectable()
export class AfterCommit implements EntitySubscriberInterface {
  private readonly logger = new Logger(AfterCommit.name)

  constructor(@InjectDataSource() dataSource: DataSource) {
    dataSource.subscribers.push(this)
  }

  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    // TypeORM also reports the release of a savepoint as a commit.
    if (queryRunner.isTransactionActive) return
    const callbacks = pendingCallbacks.get(queryRunner) ?? []
    pendingCallbacks.delete(queryRunner)
    for (const callback of callbacks)
      try {
        callback()
      } catch (error) {
        this.logger.error(`A callback after a commit failed: ${(error as Error).message}`)
      }
  }
}

/** Runs work after a transaction, if it has committed. */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager, EntitySubscriberInterface, QueryRunner, TransactionCommitEvent } from 'typeorm'

const waiting = new WeakMap<QueryRunner, (() => void)[]>()

export function afterCommit(tx: EntityManager, work: () => void): void {
  const runner = tx.queryRunner
  if (!runner?.isTransactionActive) throw new Error('there is no transaction to follow')
  const works = waiting.get(runner)
  if (works) works.push(work)
  else waiting.set(runner, [work])
}

/** Like `afterCommit`, but at once when there is no transaction: then the statement before has committed by itself. */
export function onceCommitted(db: EntityManager, work: () => void): void {
  if (db.queryRunner?.isTransactionActive) afterCommit(db, work)
  else work()
}

@Injectable()
export class AfterCommit implements EntitySubscriberInterface {
  private readonly logger = new Logger(AfterCommit.name)

  constructor(@InjectDataSource() dataSource: DataSource) {
    dataSource.subscribers.push(this)
  }

  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    // TypeORM announces the release of a savepoint like a commit.
    if (queryRunner.isTransactionActive) return
    const works = waiting.get(queryRunner) ?? []
    waiting.delete(queryRunner)
    for (const work of works)
      try {
        work()
      } catch (error) {
        this.logger.error(`What follows a commit failed: ${(error as Error).message}`)
      }
  }
}

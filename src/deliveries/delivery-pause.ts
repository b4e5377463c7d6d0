/** The pause of all deliveries, which operators start and end. Events are still recorded, and deliveries wait. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Check, Column, DataSource, Entity, PrimaryColumn } from 'typeorm'

import { ChangeFeed } from '../platform/database/change-feed.js'

/** Has one row while deliveries are paused. Claims check it in dispatch/leases.repository.ts. */
@Entity('delivery_pause')
@Check('delivery_pause_is_one_row', 'active')
export class DeliveryPause {
  /** Always true, so that there is at most one row. */
  @PrimaryColumn({ type: 'boolean', default: true })
  active!: boolean

  @Column({ name: 'paused_at', type: 'timestamptz', precision: 3 })
  pausedAt!: Date

  /** Given by the operator, for the users of the service. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null
}

export type CurrentPause = Pick<DeliveryPause, 'pausedAt' | 'reason'>

export function describePause({ pausedAt, reason }: CurrentPause): string {
  const since = `Deliveries have been paused since ${pausedAt.toISOString()}`
  return reason === null ? `${since}.` : `${since} ("${reason}").`
}

@Injectable()
export class DeliveryPauses {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Returns null unless deliveries are paused. */
  async findPause(): Promise<CurrentPause | null> {
    const [pause]: CurrentPause[] = await this.dataSource.query(
      'SELECT paused_at AS "pausedAt", reason FROM delivery_pause',
    )
    return pause ?? null
  }

  /** Starts a pause, or updates the reason of the current pause if one is given. Returns the pause. */
  startPause(reason: string | null): Promise<CurrentPause> {
    return this.dataSource.transaction(async (tx) => {
      const [pause]: [CurrentPause] = await tx.query(
        `INSERT INTO delivery_pause (paused_at, reason) VALUES (now(), $1)
         ON CONFLICT (active) DO UPDATE SET reason = COALESCE(excluded.reason, delivery_pause.reason)
         RETURNING paused_at AS "pausedAt", reason`,
        [reason],
      )
      await ChangeFeed.announce(tx, 'delivery_pause', ['started'])
      return pause
    })
  }

  /** Returns the ended pause, or null if deliveries were not paused. */
  endPause(): Promise<CurrentPause | null> {
    return this.dataSource.transaction(async (tx) => {
      const [[pause]]: [CurrentPause[], number] = await tx.query(
        `DELETE FROM delivery_pause RETURNING paused_at AS "pausedAt", reason`,
      )
      await ChangeFeed.announce(tx, 'delivery_pause', ['ended'])
      return pause ?? null
    })
  }
}

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { DeliveriesOfEvent, DeliveryInShort } from '../events/deliveries-of-event.js'
import { deliveryStatusSql } from './delivery-status.js'

@Injectable()
export class StoredDeliveriesOfEvent implements DeliveriesOfEvent {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  find(eventId: string): Promise<DeliveryInShort[]> {
    return this.dataSource.query(
      `SELECT delivery.id, delivery.webhook_id AS "webhookId", delivery.attempt_count AS "attemptCount", shown.status,
         CASE WHEN shown.status = 'pending' THEN delivery.next_attempt_at END AS "nextAttemptAt",
         CASE WHEN shown.status = 'canceled' THEN coalesce(delivery.completed_at, webhook.deleted_at)
              ELSE delivery.completed_at END AS "completedAt"
       FROM deliveries AS delivery JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id,
         LATERAL (SELECT ${deliveryStatusSql('delivery', 'webhook')} AS status) AS shown
       WHERE delivery.event_id = $1 ORDER BY delivery.id`,
      [eventId],
    )
  }
}

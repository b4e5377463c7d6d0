/** Deliveries that claims read. */

export interface DueDelivery {
  webhookId: string
  id: string
  eventId: string
  body: string
  sequence: number
  attemptCount: number
  scheduleStart: number
  priority: number
}

/** Maps by webhook ID. */
export interface DueDeliveries {
  deliveries: Map<string, DueDelivery[]>
  /** IDs of deliveries that cannot be sent, because their events were deleted. */
  expired: Map<string, string[]>
}

export interface DueRow {
  webhook_id: string
  id: string
  event_id: string
  body: string | null
  sequence: string
  attempt_count: number
  schedule_start: number
  priority: number
}

export function readDueRows(rows: readonly DueRow[]): DueDeliveries {
  const due: DueDeliveries = { deliveries: new Map(), expired: new Map() }
  for (const row of rows) {
    if (row.body === null) appendToList(due.expired, row.webhook_id, row.id)
    else appendToList(due.deliveries, row.webhook_id, toDueDelivery(row, row.body))
  }
  return due
}

function appendToList<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function toDueDelivery(row: DueRow, body: string): DueDelivery {
  return {
    webhookId: row.webhook_id,
    id: row.id,
    eventId: row.event_id,
    body,
    sequence: Number(row.sequence),
    attemptCount: row.attempt_count,
    scheduleStart: row.schedule_start,
    priority: row.priority,
  }
}

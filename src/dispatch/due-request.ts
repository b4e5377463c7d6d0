/** Requests that claims find: each sends one delivery, or a batch of them. */
import { encodeId } from '../platform/database/ids.js'

/** A delivery that a request sends. */
export interface SentDelivery {
  id: string
  /** Number of earlier attempts. */
  attemptCount: number
}

export interface DueRequest {
  webhookId: string
  /** ID of the delivery or the batch. */
  id: string
  isBatch: boolean
  deliveries: readonly SentDelivery[]
  /** Public ID of the event or the batch. */
  messageId: string
  body: string
  /** Sequence number of the only or first delivery. */
  sequence: number
  /** Number of the attempt, as the receiver sees it. */
  attempt: number
  /** Number of the attempt in the current retry schedule. */
  scheduledAttempt: number
  priority: number
  /** The traceparents of the events that have one, if they were requested. */
  traceparents: readonly string[]
}

/** Maps by webhook ID. */
export interface DueRequests {
  requests: Map<string, DueRequest[]>
  /** IDs of deliveries that cannot be sent, because their events were deleted. */
  expired: Map<string, string[]>
}

export interface DueRow {
  webhook_id: string
  id: string
  event_id: string
  body: string | null
  traceparent: string | null
  sequence: string
  attempt_count: number
  schedule_start: number
  priority: number
}

export function readDueRows(rows: readonly DueRow[]): DueRequests {
  const due: DueRequests = { requests: new Map(), expired: new Map() }
  for (const row of rows) {
    if (row.body === null) appendToList(due.expired, row.webhook_id, row.id)
    else appendToList(due.requests, row.webhook_id, createRequest(row, row.body))
  }
  return due
}

function appendToList<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function createRequest(row: DueRow, body: string): DueRequest {
  const attempt = row.attempt_count + 1
  return {
    webhookId: row.webhook_id,
    id: row.id,
    isBatch: false,
    deliveries: [{ id: row.id, attemptCount: row.attempt_count }],
    messageId: encodeId('evt', row.event_id),
    body,
    sequence: Number(row.sequence),
    attempt,
    scheduledAttempt: attempt - row.schedule_start,
    priority: row.priority,
    traceparents: row.traceparent === null ? [] : [row.traceparent],
  }
}

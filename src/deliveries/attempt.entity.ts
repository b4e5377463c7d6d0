import { Column, Entity, PrimaryColumn } from 'typeorm'

import { keepEvents } from '../events/event.entity.js'
import type { PartitionedTable } from '../platform/database/partitions.js'
import { newId } from '../platform/database/ids.js'
import type { ErrorClass, FailedPhase, Outcome } from '../platform/outbound/outcome.js'
import { type SignedHeaders, formatStoredHeaders } from '../webhooks/signing.js'

export const attemptPartitions: PartitionedTable = { name: 'attempts', days: 7, keep: keepEvents }

@Entity('attempts')
export class Attempt {
  @PrimaryColumn({ name: 'delivery_id', type: 'uuid' })
  deliveryId!: string

  @PrimaryColumn({ type: 'integer' })
  number!: number

  @Column({ type: 'uuid' })
  id!: string

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt!: Date

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs!: number

  @Column({ name: 'status_code', type: 'smallint', nullable: true })
  statusCode!: number | null

  @Column({ name: 'error_class', type: 'text', nullable: true })
  errorClass!: ErrorClass | null

  @Column({ name: 'error_message', type: 'text', nullable: true })
  errorMessage!: string | null

  @Column({ name: 'error_phase', type: 'text', nullable: true })
  errorPhase!: FailedPhase | null

  @Column({ name: 'remote_address', type: 'text', nullable: true })
  remoteAddress!: string | null

  /** Request headers that cannot be recomputed (webhooks/signing.ts). */
  @Column({ name: 'request_headers', type: 'text' })
  requestHeaders!: string

  /** Stored as JSON. */
  @Column({ name: 'response_headers', type: 'text', nullable: true })
  responseHeaders!: string | null

  @Column({ name: 'response_body', type: 'text', nullable: true })
  responseBody!: string | null

  @Column({ name: 'response_truncated', type: 'boolean' })
  responseTruncated!: boolean

  /** Milliseconds of DNS lookup, connection, TLS, first byte, and in total. NaN for a phase that did not happen. */
  @Column({ type: 'real', array: true })
  timings!: number[]
}

/** A request and its outcome. */
export interface Sent {
  /** URL of the request. The URL of the webhook may have changed since. */
  url: string
  /** The headers of the service. */
  headers: SignedHeaders
  /** Names of the custom headers. Their values are not stored. */
  customNames: readonly string[]
  isBatch: boolean
  outcome: Outcome
}

/** Returns the row of an attempt. */
export function createAttempt(
  deliveryId: string,
  number: number,
  { headers, customNames, isBatch, outcome }: Omit<Sent, 'url'>,
): Attempt {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = outcome.timings
  const { responseBody, responseTruncated } = isBatch ? shortenResponse(outcome) : outcome
  return {
    deliveryId,
    number,
    id: newId(),
    startedAt: outcome.startedAt,
    durationMs: outcome.durationMs,
    statusCode: outcome.statusCode,
    errorClass: outcome.error?.class ?? null,
    errorMessage: outcome.error?.message ?? null,
    errorPhase: outcome.error?.phase ?? null,
    remoteAddress: outcome.remoteAddress,
    requestHeaders: formatStoredHeaders(headers, customNames, isBatch),
    responseHeaders: outcome.responseHeaders && JSON.stringify(outcome.responseHeaders),
    responseBody,
    responseTruncated,
    timings: [dnsMs, connectMs, tlsMs, firstByteMs, totalMs].map((ms) => ms ?? NaN),
  }
}

/** Maximum length of the response that each delivery of a batch stores. */
const maxBatchResponseLength = 1_024

function shortenResponse({
  responseBody,
  responseTruncated,
}: Outcome): Pick<Attempt, 'responseBody' | 'responseTruncated'> {
  if (responseBody === null || responseBody.length <= maxBatchResponseLength)
    return { responseBody, responseTruncated }
  return {
    responseBody: responseBody.slice(0, maxBatchResponseLength).toWellFormed(),
    responseTruncated: true,
  }
}

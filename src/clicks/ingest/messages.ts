/** The messages between the serving thread and the ingest thread. */
import type { RunningSettings } from '../../settings.js'
import type { JournalSegment } from '../journal/segments.js'
import type { ServingLoad } from './ingest-pace.js'

export type IngestSettings = Pick<
  RunningSettings,
  'databaseUrl' | 'databaseDirectUrl' | 'clickIp' | 'geoipDb' | 'shortUrlBase'
>

/** Given to the thread when it starts. */
export interface IngestWorkerData {
  settings: IngestSettings
  root: string
  folderId: string
  segments: JournalSegment[]
  clock: SharedArrayBuffer
}

export type ToIngest =
  /** A segment can be read. With `PORT=0` the origin of short links is known only when the service listens. */
  | { kind: 'closed'; segment: JournalSegment; load: ServingLoad; shortUrlBase: string }
  /** The journal writes to another folder from now on. */
  | { kind: 'moved'; folderId: string }
  /** Visitors wait until these lines are in the database. */
  | { kind: 'direct'; id: number; lines: Uint8Array }
  /** Write what is there as far as the time allows, then end. */
  | { kind: 'stop'; withinMs: number }

export type FromIngest =
  | { kind: 'log'; level: 'info' | 'warn'; message: string }
  /** Deliveries for these webhooks are committed. */
  | { kind: 'deliveries'; webhookIds: string[]; isProven: boolean }
  /** The clicks of these segments are in the database. */
  | { kind: 'written'; paths: string[]; torn: number }
  | { kind: 'adopted'; bytes: number }
  | { kind: 'direct'; id: number; isWritten: boolean }

/** The log in which the ingester tells the operator what to know. In the service the serving thread writes it. */
export interface IngestLog {
  info: (message: string) => void
  warn: (message: string) => void
}

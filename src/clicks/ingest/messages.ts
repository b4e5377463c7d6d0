/** What the thread that serves and the thread that ingests say to each other; all of it can be cloned. */
import type { RunningSettings } from '../../platform/config/settings.js'
import type { SharedJournal } from '../journal/click-reader.js'
import type { SharedFolder } from '../journal/own-folder.js'

export interface IngestSettings extends Pick<RunningSettings, 'databaseUrl' | 'clickIp' | 'geoipDb'> {
  shortUrlBase: string
}

/** Given to the thread when it starts. */
export interface IngestWorkerData {
  settings: IngestSettings
  journal: SharedJournal
  signals: SharedArrayBuffer
}

export type ToIngest =
  /** There is something to read again. With `PORT=0` the origin of short links is known only once the service listens. */
  | { kind: 'written'; shortUrlBase: string }
  /** The journal writes to this folder from now on. */
  | { kind: 'renewed'; folder: SharedFolder }
  /** Take what is there, as far as the time allows, and end. */
  | { kind: 'stop'; withinMs: number }

/** Where the ingester says what an operator should know. In the service the thread that serves writes it down. */
export interface IngestLog {
  info: (message: string) => void
  warn: (message: string) => void
}

export type FromIngest =
  | { kind: 'log'; level: 'info' | 'warn'; message: string }
  /** Deliveries for these webhooks are committed. */
  | { kind: 'deliveries'; webhookIds: string[]; isProven: boolean }

/** Messages between the serving thread and the ingest thread. */
import type { RunningSettings } from '../../settings.js'
import { DurationHistogram } from '../../platform/util/duration-histogram.js'
import type { HistogramCounts } from '../../platform/util/duration-histogram.js'
import type { JournalSegment } from '../journal/segments.js'
import type { ServingLoad } from './ingest-pace.js'

export type IngestSettings = Pick<
  RunningSettings,
  'databaseUrl' | 'databaseDirectUrl' | 'clickIp' | 'geoipDb' | 'shortUrlBase'
>

/** `workerData` of the ingest thread. */
export interface IngestWorkerData {
  settings: IngestSettings
  root: string
  folderId: string
  segments: JournalSegment[]
  clock: SharedArrayBuffer
}

export type ToIngest =
  /** A segment can be read. `shortUrlBase` is repeated, because with `PORT=0` its port is not known at first. */
  | { kind: 'closed'; segment: JournalSegment; load: ServingLoad; shortUrlBase: string }
  /** The journal has moved to a new folder. */
  | { kind: 'moved'; folderId: string }
  /** Redirects wait until these lines are in the database. */
  | { kind: 'direct'; id: number; lines: Uint8Array }
  /** Write pending clicks within this time, then end. */
  | { kind: 'stop'; withinMs: number }

export type FromIngest =
  | { kind: 'log'; level: 'info' | 'warn'; message: string }
  /** Deliveries to these webhooks were committed. */
  | { kind: 'deliveries'; webhookIds: string[]; isProven: boolean }
  /** The clicks of these segments are in the database. */
  | { kind: 'written'; paths: string[]; torn: number }
  | { kind: 'adopted'; bytes: number }
  /** Time from clicks to their commit, of the clicks since the last message. */
  | { kind: 'readable'; durations: HistogramCounts }
  | { kind: 'direct'; id: number; isWritten: boolean }

/** Clicks are usually readable within a second, and after an outage of the database within minutes. */
const readableBoundsInSeconds = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]

/** Measures the time from clicks to their commit. Both threads use it, because `readable` has no bounds of its own. */
export function createReadableDurations(): DurationHistogram {
  return new DurationHistogram(readableBoundsInSeconds)
}

/** The operator's log. The ingest thread sends its entries to the serving thread. */
export interface IngestLog {
  info: (message: string) => void
  warn: (message: string) => void
}

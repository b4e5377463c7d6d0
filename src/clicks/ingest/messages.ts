/** How the serving thread and the ingest thread talk: in messages, which must be cloneable, and in shared memory. */
import type { RunningSettings } from '../../platform/config/settings.js'
import type { SharedJournal } from '../journal/click-reader.js'
import type { SharedFolder } from '../journal/own-folder.js'

export type IngestSettings = Pick<
  RunningSettings,
  'databaseUrl' | 'databaseDirectUrl' | 'clickIp' | 'geoipDb' | 'shortUrlBase'
>

/** Given to the thread when it starts. */
export interface IngestWorkerData {
  settings: IngestSettings
  journal: SharedJournal
  signals: SharedArrayBuffer
  clock: SharedArrayBuffer
}

export type ToIngest =
  /** There is something to read. With `PORT=0` the origin of short links is known only when the service listens. */
  | { kind: 'written'; shortUrlBase: string }
  /** The journal writes to this folder from now on. */
  | { kind: 'renewed'; folder: SharedFolder }
  /** Take what is there as far as the time allows, then end. */
  | { kind: 'stop'; withinMs: number }

/** The log in which the ingester tells the operator what to know. In the service the serving thread writes it. */
export interface IngestLog {
  info: (message: string) => void
  warn: (message: string) => void
}

export type FromIngest =
  | { kind: 'log'; level: 'info' | 'warn'; message: string }
  /** Deliveries for these webhooks are committed. */
  | { kind: 'deliveries'; webhookIds: string[]; isProven: boolean }

/** The positions of the numbers in the shared memory. */
const sleeping = 0
const samples = 1
const busyPermille = 2
const fillPermille = 3

/** How things stood in the serving thread at one moment; both numbers are between 0 and 1. */
export interface ServingLoad {
  /** The share of the time in which its event loop was at work. */
  busy: number
  /** The share of the journal's limit that is used. */
  fill: number
}

/**
 * Signals between the two threads in memory that both see: whether the ingester sleeps, and how busy the serving thread
 * is. Unlike messages, they cost the serving thread hardly anything.
 */
export class Signals {
  private readonly numbers: Int32Array

  constructor(readonly shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)) {
    this.numbers = new Int32Array(shared)
  }

  /** The ingester wants a message when something is written. */
  sleep(): void {
    Atomics.store(this.numbers, sleeping, 1)
  }

  /** True once for each sleep, for the first caller. */
  wake(): boolean {
    return Atomics.load(this.numbers, sleeping) === 1 && Atomics.exchange(this.numbers, sleeping, 0) === 1
  }

  sample({ busy, fill }: ServingLoad): void {
    Atomics.store(this.numbers, busyPermille, Math.round(busy * 1_000))
    Atomics.store(this.numbers, fillPermille, Math.round(fill * 1_000))
    Atomics.add(this.numbers, samples, 1)
  }

  /** The number grows with each sample, and wraps around. While it stands still, the load is old. */
  get samples(): number {
    return Atomics.load(this.numbers, samples)
  }

  get load(): ServingLoad {
    return {
      busy: Atomics.load(this.numbers, busyPermille) / 1_000,
      fill: Atomics.load(this.numbers, fillPermille) / 1_000,
    }
  }
}

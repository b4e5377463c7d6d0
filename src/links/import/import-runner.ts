/**
 * Runs imports in steps. A step commits its links together with the progress of the import, so another runner can
 * continue after a crash, and no line is imported twice. The lease only keeps two runners from reading the same lines.
 */
import { randomUUID } from 'node:crypto'

import { Injectable, Logger } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import { BodiesRepository } from './bodies.repository.js'
import type { BodyWindow } from './bodies.repository.js'
import type { Import } from './import.entity.js'
import { ImportStep } from './import-step.js'
import type { PreparedStep } from './import-step.js'
import { ImportsRepository } from './imports.repository.js'
import { chunkBytes, linesInSlice, linesInStep, maxAttempts, runningInProcess } from './limits.js'
import { LineReader } from './parsing/line-reader.js'
import type { LinePlace } from './parsing/line-reader.js'
import type { Line } from './parsing/records.js'

@Injectable()
export class ImportRunner implements OnModuleDestroy {
  private readonly logger = new Logger(ImportRunner.name)
  private running = 0
  private isStopping = false

  constructor(
    private readonly imports: ImportsRepository,
    private readonly bodies: BodiesRepository,
    private readonly step: ImportStep,
  ) {}

  /** Runs this import, then all others that can run. Does nothing if this process already runs enough imports. */
  async run(importId: string): Promise<void> {
    if (this.running >= runningInProcess) return
    this.running += 1
    try {
      await this.runOne(importId)
      while (!this.isStopping && (await this.runNext()));
    } finally {
      this.running -= 1
    }
  }

  /** Prevents further steps. A running step is completed. */
  onModuleDestroy(): void {
    this.isStopping = true
  }

  private async runNext(): Promise<boolean> {
    for (const importId of await this.imports.findRunnable()) if (await this.runOne(importId)) return true
    return false
  }

  private async runOne(importId: string): Promise<boolean> {
    if (this.isStopping) return false
    const claimed = await this.imports.claimImport(importId, randomUUID())
    if (!claimed) return false
    if (claimed.attempts > maxAttempts) await this.failImport(claimed)
    else await this.runSteps(claimed).catch((error: Error) => this.logFailure(claimed, error))
    return true
  }

  /** The import continues when its lease has expired. Other imports need not wait for that. */
  private logFailure({ id }: Import, error: Error): void {
    this.logger.error(`A step of the import ${id} failed: ${String(error)}`, error.stack)
  }

  /** Reads the lines of the next step while the current step is written. */
  private async runSteps(claimed: Import): Promise<void> {
    const steps = this.prepareSteps(claimed)
    let next = steps.next()
    for (let state: Import | null = claimed; state;) {
      const { value: prepared } = await next
      if (this.isStopping || !prepared) return this.imports.releaseImport(state)
      next = steps.next()
      // If the step fails, nothing awaits this promise.
      next.catch(() => undefined)
      state = await this.step.runStep(state, prepared)
    }
  }

  private async *prepareSteps({
    id,
    bytes,
    layout,
    ...state
  }: Import): AsyncGenerator<PreparedStep, undefined> {
    const size = Number(bytes)
    const reader = new LineReader(layout, state.ignoredColumns)
    const place: LinePlace = {
      offset: Number(state.bodyOffset),
      line: state.line,
      isInLongLine: state.isInLongLine,
    }
    let window: BodyWindow | null = null
    for (let isEnd = false; !isEnd;) {
      const { offset } = place
      if (!window || offset >= window.start + chunkBytes)
        window = await this.bodies.windowAt(id, offset, size)
      const lines = await readSlices(reader, window, place)
      isEnd = place.offset >= size
      if (place.offset === offset && !isEnd)
        throw new Error(`the import ${id} makes no progress at byte ${offset}`)
      const checked = await this.step.validateLines(lines)
      yield { lines, checked, place: { ...place }, ignored: [...reader.ignored], isEnd }
    }
  }

  private async failImport(claimed: Import): Promise<void> {
    this.logger.error(`The import ${claimed.id} failed ${maxAttempts} times at line ${claimed.line}.`)
    await this.imports.failImport(
      claimed,
      `The service failed repeatedly at line ${claimed.line}. Earlier lines were processed. Ask the operator to check the log of the service, and import the remaining lines as another file.`,
    )
  }
}

/** Reads the lines of a step, yielding to the event loop between slices. */
async function readSlices(reader: LineReader, window: BodyWindow, place: LinePlace): Promise<Line[]> {
  const lines: Line[] = []
  while (lines.length < linesInStep) {
    const { offset } = place
    lines.push(...reader.readLines(window, window.start, place, linesInSlice))
    if (place.offset === offset) break
    await new Promise(setImmediate)
  }
  return lines
}

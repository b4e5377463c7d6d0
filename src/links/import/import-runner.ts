/**
 * Runs imports step by step. The links of a step and the new place of the import commit together, so a runner may die
 * at any line and another one goes on after the last step. The lease only keeps two runners from reading the same
 * lines in vain. No step is done twice, because each step checks the place of the import and moves it.
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
import { chunkBytes, linesInSlice, linesInStep, mostAttempts, runningInProcess } from './limits.js'
import { LineReader } from './parsing/line-reader.js'
import type { LinePlace } from './parsing/line-reader.js'
import type { Line } from './parsing/line.js'

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

  /** Runs this import, and then all others that may run. Returns at once when this process runs enough of them. */
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

  /** Starts no further step. A step that is under way is finished. */
  onModuleDestroy(): void {
    this.isStopping = true
  }

  private async runNext(): Promise<boolean> {
    for (const importId of await this.imports.mayRun()) if (await this.runOne(importId)) return true
    return false
  }

  private async runOne(importId: string): Promise<boolean> {
    if (this.isStopping) return false
    const claimed = await this.imports.claim(importId, randomUUID())
    if (!claimed) return false
    if (claimed.attempts > mostAttempts) await this.giveUp(claimed)
    else await this.goOn(claimed)
    return true
  }

  /** Reads the lines of the next step while the database writes those of the current one. */
  private async goOn(claimed: Import): Promise<void> {
    const lines = this.linesOf(claimed)
    let next = lines.next()
    for (let state: Import | null = claimed; state;) {
      const { value: prepared } = await next
      if (this.isStopping || !prepared) return this.imports.release(state)
      next = lines.next()
      // If the step fails, its error counts, and nobody awaits an error of reading.
      next.catch(() => undefined)
      state = await this.step.run(state, prepared)
    }
  }

  private async *linesOf({ id, bytes, layout, ...state }: Import): AsyncGenerator<PreparedStep, undefined> {
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
        throw new Error(`the import ${id} does not move at byte ${offset}`)
      const checked = await this.step.check(lines)
      yield { lines, checked, place: { ...place }, ignored: [...reader.ignored], isEnd }
    }
  }

  private async giveUp(claimed: Import): Promise<void> {
    this.logger.error(`The import ${claimed.id} was given up at line ${claimed.line}.`)
    await this.imports.fail(
      claimed,
      `The service failed again and again at line ${claimed.line}. The lines before it are done. The log of the service says why; send the rest of the file as another import.`,
    )
  }
}

/** Reads the lines of a step in slices, between which the event loop does other work. */
async function readSlices(reader: LineReader, window: BodyWindow, place: LinePlace): Promise<Line[]> {
  const lines: Line[] = []
  while (lines.length < linesInStep) {
    const some = reader.next(window, window.start, place, linesInSlice)
    lines.push(...some)
    if (some.length < linesInSlice) break
    await new Promise(setImmediate)
  }
  return lines
}

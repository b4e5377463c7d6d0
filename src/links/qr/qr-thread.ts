/** Draws in a thread of its own. A large picture takes some ten milliseconds, and visitors must not wait for it. */
import { Worker } from 'node:worker_threads'

import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'

import { Problem } from '../../platform/http/problems/problem.js'
import { workerProgram } from '../../platform/util/worker-program.js'
import type { QrOrder, QrPicture } from './qr-picture.js'

/** While this many pictures wait, further requests are answered 503 with Retry-After. */
const mostWaiting = 64

interface WaitingPicture {
  resolve: (picture: QrPicture) => void
  reject: (error: Error) => void
}

@Injectable()
export class QrThread implements OnApplicationShutdown {
  private readonly logger = new Logger(QrThread.name)
  /** The thread answers in the order in which it was asked. */
  private waiting: WaitingPicture[] = []
  /** Started with the first picture, because many services never draw one. */
  private worker: Worker | null = null

  draw(order: QrOrder): Promise<QrPicture> {
    if (this.waiting.length >= mostWaiting)
      throw new Problem('unavailable', {
        detail: 'Too many pictures are being drawn at this moment.',
        headers: { 'retry-after': '1' },
      })
    this.worker ??= this.start()
    this.worker.postMessage(order)
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }))
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(workerProgram('links/qr/qr-worker.js'), { name: 'qr' })
    worker.unref()
    worker.on('message', (picture: QrPicture) => this.waiting.shift()?.resolve(picture))
    worker.on('error', (error: unknown) =>
      this.logger.error(`The thread that draws failed: ${String(error)}`),
    )
    // The next picture starts a new thread.
    worker.on('exit', () => {
      this.worker = null
      const left = this.waiting
      this.waiting = []
      for (const { reject } of left) reject(new Error('the thread that draws has ended'))
    })
    return worker
  }
}

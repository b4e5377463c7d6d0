/** Renders QR codes in a separate thread. A large image takes tens of milliseconds, which would delay redirects. */
import { Worker } from 'node:worker_threads'

import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'

import { Problem } from '../../platform/http/problems/problem.js'
import { workerProgram } from '../../platform/util/program.js'
import type { QrImage, QrOptions } from './qr-image.js'

/** Further requests get a 503 response with Retry-After. */
const maxPending = 64

interface PendingImage {
  resolve: (image: QrImage) => void
  reject: (error: Error) => void
}

@Injectable()
export class QrThread implements OnApplicationShutdown {
  private readonly logger = new Logger(QrThread.name)
  /** In the order of the requests, which is also the order of the results. */
  private pending: PendingImage[] = []
  /** Started on first use, because many services never render a QR code. */
  private worker: Worker | null = null

  render(options: QrOptions): Promise<QrImage> {
    if (this.pending.length >= maxPending)
      throw new Problem('unavailable', {
        detail: 'Too many QR codes are being rendered. Try again.',
        headers: { 'retry-after': '1' },
      })
    this.worker ??= this.start()
    this.worker.postMessage(options)
    return new Promise((resolve, reject) => this.pending.push({ resolve, reject }))
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(workerProgram('links/qr/qr-worker.js'), { name: 'qr' })
    worker.unref()
    worker.on('message', (image: QrImage) => this.pending.shift()?.resolve(image))
    worker.on('error', (error: unknown) => this.logger.error(`The QR code thread failed: ${String(error)}`))
    // The next request starts a new thread.
    worker.on('exit', () => {
      this.worker = null
      const { pending } = this
      this.pending = []
      for (const { reject } of pending) reject(new Error('the QR code thread has ended'))
    })
    return worker
  }
}

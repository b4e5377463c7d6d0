/** The program of the thread that draws. */
import { parentPort } from 'node:worker_threads'

import { pictureOf } from './qr-picture.js'
import type { QrOrder } from './qr-picture.js'

parentPort?.on('message', (order: QrOrder) => parentPort?.postMessage(pictureOf(order)))

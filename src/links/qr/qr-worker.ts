/** Entry point of the thread that renders QR codes. */
import { parentPort } from 'node:worker_threads'

import { renderQr } from './qr-image.js'
import type { QrOptions } from './qr-image.js'

parentPort?.on('message', (options: QrOptions) => parentPort?.postMessage(renderQr(options)))

/** The one place from which the service calls addresses that others chose. */
import { Inject, Injectable, Optional } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import type { Settings } from '../config/env.js'
import { SETTINGS } from '../config/settings.js'
import { Connections } from './connections.js'
import { LOOK_UP, originOf, Resolver } from './destination.js'
import type { LookUp } from './destination.js'
import { Dialer, readTrust } from './dialer.js'
import { Exchange } from './exchange.js'
import { Failure, type Outcome } from './outcome.js'

export interface OutboundRequest {
  url: string
  /** Beside these, the client sends `host`, `connection`, `accept-encoding` and `content-length`. */
  headers: Record<string, string>
  body: string | Buffer
  signal?: AbortSignal
}

type OutboundSettings = Pick<
  Settings,
  'webhookAllowHttp' | 'webhookAllowedCidrs' | 'webhookCaFile' | 'webhookTimeout'
>

@Injectable()
export class OutboundClient implements OnModuleDestroy {
  private readonly connections: Connections
  private readonly timeoutMs: number

  constructor(
    @Inject(SETTINGS) private readonly settings: OutboundSettings,
    @Optional() @Inject(LOOK_UP) lookUp?: LookUp,
  ) {
    this.timeoutMs = settings.webhookTimeout * 1000
    const resolver = new Resolver(settings.webhookAllowedCidrs ?? [], lookUp)
    this.connections = new Connections(new Dialer(resolver, readTrust(settings.webhookCaFile)))
  }

  /** Posts once. Never rejects: whatever goes wrong is an outcome. */
  send(request: OutboundRequest): Promise<Outcome> {
    return new Promise((done) => {
      try {
        this.start(request, done)
      } catch (error) {
        done(nothingSent(error))
      }
    })
  }

  /** Closes the connections that wait for a next request. Those under way end with their callers' signals. */
  onModuleDestroy(): void {
    this.connections.endAll()
  }

  private start({ url, headers, body, signal }: OutboundRequest, done: (outcome: Outcome) => void): void {
    if (signal?.aborted) throw new Failure('canceled', 'The attempt was canceled before it began.')
    const parsed = URL.parse(url)
    if (!parsed) throw new Failure('other', 'The address is not a valid URL.')
    const origin = originOf(parsed, this.settings.webhookAllowHttp)
    const options = {
      path: parsed.pathname + parsed.search,
      method: 'POST',
      // What is compressed would have to be unpacked to be read, and may be a thousand times larger than it came.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
    }
    new Exchange(options, origin, this.connections, { timeoutMs: this.timeoutMs, signal }, done).run()
  }
}

function nothingSent(error: unknown): Outcome {
  const failure = error instanceof Failure ? error : new Failure('other', 'The request could not be sent.')
  return {
    startedAt: new Date(),
    durationMs: 0,
    statusCode: null,
    error: failure.asOutcome(),
    remoteAddress: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
    retryAfter: null,
  }
}

/** With METRICS_PORT, metrics and health checks are served on a port of their own, and nothing else is. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { Inject, Injectable } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import type { FastifyInstance } from 'fastify'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { type RouteTable, originForm } from '../../platform/http/request.js'

const operationalPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

@Injectable()
export class MetricsPort implements OnApplicationShutdown {
  private readonly sockets = new WeakSet<Socket>()
  private server: Server | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  /** Opens no port yet. Without METRICS_PORT there is nothing to do. */
  prepare(fastify: FastifyInstance, routes: RouteTable): void {
    if (this.settings.metricsPort === null) return
    this.server = createServer((request, response) => fastify.routing(request, response))
    this.server.on('connection', (socket) => this.sockets.add(socket))
    routes.hideRoutes(({ url, raw }) => {
      const isOperational = operationalPaths.has(originForm(url).split('?')[0]!)
      return isOperational !== this.sockets.has(raw.socket)
    })
  }

  /** Resolves when the port listens. */
  listen(): Promise<void> {
    const { server, settings } = this
    if (!server) return Promise.resolve()
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port: settings.metricsPort!, host: settings.host }, resolve)
    })
  }

  /** The port that listens; null without METRICS_PORT. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null
  }

  /** Probes are answered until everything else has ended. */
  onApplicationShutdown(): void {
    this.server?.close()
    this.server?.closeAllConnections()
  }
}

/** Serves metrics and health checks only on METRICS_PORT, if it is set. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { Inject, Injectable } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import type { FastifyInstance } from 'fastify'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import type { RouteTable } from '../../platform/http/route-table.js'
import { originForm } from '../../platform/http/request.js'

const operationalPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

@Injectable()
export class MetricsPort implements OnApplicationShutdown {
  private readonly sockets = new WeakSet<Socket>()
  private server: Server | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  /** Creates the server and hides the other routes from it. `listen` opens the port. */
  prepare(fastify: FastifyInstance, routes: RouteTable): void {
    if (this.settings.metricsPort === null) return
    this.server = createServer((request, response) => fastify.routing(request, response))
    this.server.on('connection', (socket) => this.sockets.add(socket))
    routes.hideRoutes(({ url, raw }) => {
      const isOperational = operationalPaths.has(originForm(url).split('?')[0]!)
      return isOperational !== this.sockets.has(raw.socket)
    })
  }

  /** Resolves when the server is listening. */
  listen(): Promise<void> {
    const { server, settings } = this
    if (!server) return Promise.resolve()
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port: settings.metricsPort!, host: settings.host }, resolve)
    })
  }

  /** The listening port, or null without METRICS_PORT. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null
  }

  /** Runs last, so that probes get responses during the shutdown. */
  onApplicationShutdown(): void {
    this.server?.close()
    this.server?.closeAllConnections()
  }
}

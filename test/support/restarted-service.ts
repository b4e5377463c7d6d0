/** The built service on a temporary data folder, which can be killed and restarted. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from './data-folder.js'
import { startProcess } from './process.js'
import type { ServiceProcess } from './process.js'
import { call } from './service.js'
import type { ServiceResponse } from './service.js'

export class RestartedService {
  private constructor(
    private readonly dataDir: string,
    private running: ServiceProcess,
    /** The token printed by the first start. */
    readonly token: string,
  ) {}

  static async start(): Promise<RestartedService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'link service chaos '))
    await copyDataFolder(dataDir)
    const running = await startProcess({ DATA_DIR: dataDir, RATE_LIMIT: 'off' })
    return new RestartedService(dataDir, running, running.firstToken!)
  }

  get origin(): string {
    return this.running.origin
  }

  call(method: string, path: string, body?: unknown, token = this.token): Promise<ServiceResponse> {
    return call(this.origin, method, path, { token, ...(body === undefined ? {} : { body }) })
  }

  kill(): true {
    return this.running.kill()
  }

  /** Starts the service after a kill. The token stays the same. */
  async startAgain(): Promise<void> {
    await this.running.gone
    this.running = await startProcess({ DATA_DIR: this.dataDir, RATE_LIMIT: 'off' })
    expect(this.running.firstToken).toBeNull()
  }

  async stop(): Promise<void> {
    await this.running.stop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

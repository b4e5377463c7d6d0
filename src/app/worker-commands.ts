/** `link-service workers list` and `workers drain`. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'

import { WorkersRepository } from '../dispatch/workers.repository.js'
import { listText, print } from '../platform/command-line/output.js'
import type { OutputOptions } from '../platform/command-line/output.js'
import type { TableColumn } from '../platform/command-line/table.js'
import { StartupError } from '../platform/config/startup-error.js'
import { decodeId } from '../platform/database/ids.js'
import { commandText } from '../platform/util/program.js'
import { ProcessDto } from './instance/process.dto.js'
import { ProcessesRepository } from './processes/processes.repository.js'

const checkEveryMs = 500
/** Longer than WEBHOOK_TIMEOUT can be. */
const drainTimeoutMs = 90_000

const columns: TableColumn<ProcessDto>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'role', value: ({ role }) => role },
  { title: 'status', value: ({ status }) => status },
  { title: 'webhooks', value: ({ webhooks }) => webhooks },
  { title: 'host', value: ({ host }) => host, kind: 'text' },
  { title: 'pid', value: ({ pid }) => pid, dropOrder: 2 },
  { title: 'version', value: ({ version }) => version, dropOrder: 3 },
  { title: 'started', value: ({ started_at }) => started_at, dropOrder: 1 },
]

@Injectable()
export class WorkerCommands {
  constructor(
    private readonly processes: ProcessesRepository,
    private readonly workers: WorkersRepository,
  ) {}

  async list(options: OutputOptions): Promise<void> {
    const rows = await this.findWorkers()
    const ifEmpty = 'No worker is running.'
    process.stdout.write(listText({ rows, columns, document: { data: rows }, ifEmpty }, options))
  }

  /** Drains a worker, or all workers on a host. Resolves when they have finished their requests. */
  async drain(idOrHost: string): Promise<void> {
    const running = await this.findWorkers()
    const ids = running.filter(({ id, host }) => id === idOrHost || host === idOrHost).map(({ id }) => id)
    const leases = await Promise.all(ids.map((id) => this.workers.startDraining(decodeId('prc', id)!)))
    if (leases.every((lease) => lease === null))
      throw new StartupError(`No worker ${idOrHost} is running. See: ${commandText('workers list')}`)
    if (!running.some(({ id, status }) => status === 'running' && !ids.includes(id)))
      print('No other worker is running, so deliveries wait until you start one.')
    const deadline = performance.now() + drainTimeoutMs
    for (const [i, id] of ids.entries()) {
      await this.waitUntilDrained(id, leases[i]!, deadline)
      print(`Drained ${id}. It accepts no more work and can be stopped.`)
    }
  }

  private async waitUntilDrained(id: string, lease: Date | null, deadline: number): Promise<void> {
    while (await this.isBusy(id, lease)) {
      if (performance.now() > deadline)
        throw new StartupError(
          `${id} has not finished within ${drainTimeoutMs / 1000} seconds. Run the command again to keep waiting.`,
        )
      await pause(checkEveryMs)
    }
  }

  /** A worker takes lanes until its next heartbeat, which renews its lease and tells it that it is drained. */
  private async isBusy(id: string, lease: Date | null): Promise<boolean> {
    const isTold = lease === null || (await this.workers.hasNewLease(decodeId('prc', id)!, lease))
    const worker = (await this.findWorkers()).find((each) => each.id === id)
    return worker !== undefined && (!isTold || worker.status === 'draining')
  }

  private async findWorkers(): Promise<ProcessDto[]> {
    const processes = await this.processes.findLiveProcesses()
    return processes.map((each) => ProcessDto.from(each)).filter(({ webhooks }) => webhooks !== null)
  }
}

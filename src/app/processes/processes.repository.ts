/** Stores which processes are running, and returns them with the state of their workers. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { ServiceProcess } from './process.entity.js'

/** A process that was not seen for this long has stopped, or cannot reach the database. */
const aliveFor = '15 seconds'
/** Rows of killed processes are deleted after this time. */
const keptFor = '1 day'

/** Also deletes the rows of processes that were killed long ago. */
export const reportStatement = `
  WITH gone AS (
    DELETE FROM processes WHERE seen_at < now() - interval '${keptFor}'
  )
  INSERT INTO processes (id, role, version, host, pid, started_at, seen_at, lag_seconds)
  VALUES ($1, $2, $3, $4, $5, now() - $6 * interval '1 ms', now(), $7)
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, lag_seconds = excluded.lag_seconds`

export interface LiveProcess extends ServiceProcess {
  /** Number of webhooks that the worker of the process currently sends to. Null for processes without a worker. */
  webhooks: number | null
  /** Whether the worker takes no more work. */
  isDraining: boolean
}

@Injectable()
export class ProcessesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async reportProcess(
    process: Omit<ServiceProcess, 'startedAt' | 'seenAt'>,
    uptimeMs: number,
  ): Promise<void> {
    await this.dataSource.query(reportStatement, [
      process.id,
      process.role,
      process.version,
      process.host,
      process.pid,
      uptimeMs,
      process.lagSeconds,
    ])
  }

  async removeProcess(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM processes WHERE id = $1', [id])
  }

  /** Returns the running processes, oldest first. */
  findLiveProcesses(): Promise<LiveProcess[]> {
    return this.dataSource.query(
      `SELECT processes.id, role, version, host, pid, started_at AS "startedAt", seen_at AS "seenAt",
         lag_seconds AS "lagSeconds", COALESCE(leaving, false) AS "isDraining",
         CASE WHEN role <> 'api' THEN (SELECT count(*) FROM lanes WHERE holder = processes.id)::int END AS webhooks
       FROM processes LEFT JOIN workers USING (id)
       WHERE seen_at > now() - interval '${aliveFor}'
       ORDER BY started_at, processes.id`,
    )
  }
}

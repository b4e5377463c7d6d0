import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { ChangeFeed } from '../database/change-feed.js'

type Part = 'database' | 'migrations' | 'change_feed'

export interface Readiness {
  status: 'ok' | 'unavailable'
  parts: Record<Part, 'ok' | 'failing'>
}

const patienceMs = 2_000

@Injectable()
export class HealthService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly feed: ChangeFeed,
  ) {}

  async check(): Promise<Readiness> {
    const applied = await withinPatience(this.countMigrations())
    const parts = {
      database: applied === null ? 'failing' : 'ok',
      migrations: applied !== null && applied >= this.dataSource.migrations.length ? 'ok' : 'failing',
      change_feed: (await this.feed.confirm()) ? 'ok' : 'failing',
    } as const
    return { status: Object.values(parts).includes('failing') ? 'unavailable' : 'ok', parts }
  }

  private async countMigrations(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM migrations',
    )
    return row?.count ?? 0
  }
}

async function withinPatience<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, patienceMs, null)))
  return Promise.race([work.catch(() => null), late]).finally(() => {
    clearTimeout(timer)
  })
}

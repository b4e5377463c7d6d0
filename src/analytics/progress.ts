/** How far the figures have come, for metrics and for the command doctor. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

export interface Progress {
  /** Workspaces whose clicks from before are still being counted. */
  preparing: number
  /** The share of those clicks that is counted, 0 to 1; of the workspace that is least far. */
  prepared: number
}

@Injectable()
export class AnalyticsProgress {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async read(): Promise<Progress> {
    const [row]: Progress[] = await this.dataSource.query(`
      SELECT count(*)::int AS preparing,
        coalesce(min(least(1, (tx - first_tx)::float8 / greatest(goal_tx - first_tx, 1))), 1) AS prepared
      FROM analytics_places WHERE prepared_at IS NULL`)
    return row!
  }
}

import { DataSource } from 'typeorm'
import type { DataSourceOptions } from 'typeorm'

import { StartupError } from '../config/startup-error.js'

/** Connects without the modules, for a migration or a single command. */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize()
  } catch (error) {
    const reason = (error as Error).message || (error as { code?: string }).code
    throw new StartupError(
      `The database of DATABASE_URL cannot be reached: ${reason}. Check the address and that it runs.`,
    )
  }
}

import type { Settings } from './env.js'
import { StartupError } from './startup-error.js'

export function refuseLoneWorker({ role, databaseUrl }: Settings): void {
  if (role === 'worker' && databaseUrl === null)
    throw new StartupError(
      'A worker of its own needs DATABASE_URL: the embedded database belongs to one process. Set it, or start with ROLE=all.',
    )
}

/** The jobs of imports and their handlers. */
import { Injectable } from '@nestjs/common'

import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import type { JobHandler, Jobs } from '../../platform/queue/jobs.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { DryRuns } from './dry-runs.js'
import { FaultsRepository } from './faults.repository.js'
import { ImportRunner } from './import-runner.js'
import { ImportsRepository } from './imports.repository.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Hint that this import may start or continue. */
    import: { importId: string }
    /** Finds imports without a runner, and deletes abandoned uploads and old imports. */
    'maintain-imports': Record<string, never>
  }
}

const intervalMs = 15_000
const rowsPerDelete = 5_000

export const importJobs = declareJobs({
  import: { hintKey: ({ importId }) => importId },
  'maintain-imports': { everyMs: () => intervalMs },
})

@Injectable()
@Handles('import')
export class ImportJob implements JobHandler<'import'> {
  constructor(private readonly runner: ImportRunner) {}

  handle({ importId }: Jobs['import']): Promise<void> {
    return this.runner.run(importId)
  }
}

@Injectable()
@Handles('maintain-imports')
export class MaintainImportsJob implements JobHandler<'maintain-imports'> {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly faults: FaultsRepository,
    private readonly dryRuns: DryRuns,
    private readonly queue: JobQueue,
  ) {}

  async handle(): Promise<void> {
    const ids = await this.imports.findRunnable()
    this.queue.addHints(
      'import',
      ids.map((importId) => ({ importId })),
    )
    await this.imports.deleteAbandonedUploads()
    for (const importId of await this.imports.findExpired()) {
      // Millions of rows would exceed the time limit of one statement.
      while (await this.faults.deleteFaults(importId, rowsPerDelete));
      while (await this.dryRuns.deleteKeys(importId, rowsPerDelete));
      await this.imports.deleteImport(importId)
    }
  }
}

/** The handlers of a worker for the jobs of imports. */
import { Injectable } from '@nestjs/common'

import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler, Jobs } from '../../platform/queue/jobs.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { FaultsRepository } from './faults.repository.js'
import { ImportRunner } from './import-runner.js'
import { ImportsRepository } from './imports.repository.js'

const faultsAtOnce = 5_000

@Injectable()
@Handles('import')
export class ImportJob implements JobHandler<'import'> {
  constructor(private readonly runner: ImportRunner) {}

  handle({ importId }: Jobs['import']): Promise<void> {
    return this.runner.run(importId)
  }
}

@Injectable()
@Handles('imports')
export class ImportsJob implements JobHandler<'imports'> {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly faults: FaultsRepository,
    private readonly queue: JobQueue,
  ) {}

  async handle(): Promise<void> {
    const ids = await this.imports.mayRun()
    this.queue.hint(
      'import',
      ids.map((importId) => ({ importId })),
    )
    await this.imports.forgetBroken()
    for (const importId of await this.imports.pastTheirTime()) {
      while (await this.faults.forgetSome(importId, faultsAtOnce));
      await this.imports.forget(importId)
    }
  }
}

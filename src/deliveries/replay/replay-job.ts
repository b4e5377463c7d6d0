import { Injectable } from '@nestjs/common'

import { Handles } from '../../platform/queue/job-handlers.js'
import type { JobHandler } from '../../platform/queue/job-handlers.js'
import type { Jobs } from '../../platform/queue/jobs.js'
import { ReplayRunner } from './replay-runner.js'

@Injectable()
@Handles('replay')
export class ReplayJob implements JobHandler<'replay'> {
  constructor(private readonly runner: ReplayRunner) {}

  handle({ replayId }: Jobs['replay']): Promise<void> {
    return this.runner.run(replayId)
  }
}

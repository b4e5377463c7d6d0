import { Injectable } from '@nestjs/common'

import { Handles } from '../../queue/job-handlers.js'
import type { JobHandler } from '../../queue/job-handlers.js'
import type { Jobs } from '../../queue/jobs.js'
import { ReplayRunner } from './replay-runner.js'

@Injectable()
@Handles('replay')
export class ReplayJob implements JobHandler<'replay'> {
  constructor(private readonly runner: ReplayRunner) {}

  handle({ replayId }: Jobs['replay']): Promise<void> {
    return this.runner.run(replayId)
  }
}

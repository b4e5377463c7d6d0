import { Injectable } from '@nestjs/common'

import { Handles } from '../platform/queue/job-handlers.js'
import type { JobHandler } from '../platform/queue/job-handlers.js'
import type { Jobs } from '../platform/queue/jobs.js'
import { Lanes } from './lanes.js'

@Injectable()
@Handles('lanes')
export class ManyLanesWork implements JobHandler<'lanes'> {
  constructor(private readonly lanes: Lanes) {}

  handle({ webhookIds, isProven }: Jobs['lanes']): Promise<void> {
    return this.lanes.serve(webhookIds, isProven)
  }
}

/** Adds up how many links have each tag, so that few changes are left for whoever asks. */
import { Injectable, Module } from '@nestjs/common'

import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { QueueWorkModule } from '../../platform/queue/queue.module.js'
import { TagCountsRepository } from './tag-counts.repository.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Links may have got tags, or lost some. */
    'count-tags': Record<string, never>
  }
}

/** A list of tags reads what is not added up yet: 20 ms for 100,000 changes, which quick writers make in about a minute. */
const everyMs = 10_000
const changesAtOnce = 20_000

@Injectable()
@Handles('count-tags')
class CountTagsJob implements JobHandler<'count-tags'> {
  constructor(private readonly tags: TagCountsRepository) {}

  async handle(): Promise<void> {
    while ((await this.tags.addUp(changesAtOnce)) === changesAtOnce);
    await this.tags.forgetUnused()
  }
}

@Module({
  imports: [QueueWorkModule],
  providers: [CountTagsJob, TagCountsRepository, declareJobs({ 'count-tags': { everyMs: () => everyMs } })],
})
export class TagsWorkerModule {}

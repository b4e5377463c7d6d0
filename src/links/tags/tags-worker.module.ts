/** Adds up how many links have each tag, so that a list of tags has few changes left to add. */
import { Injectable, Module } from '@nestjs/common'

import { declareJobs, Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { QueueWorkModule } from '../../platform/queue/queue.module.js'
import { TagCountsRepository } from './tag-counts.repository.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Tags may have been added to links or removed from them. */
    'count-tags': Record<string, never>
  }
}

/** A list of tags also reads the changes since: 20 ms for 100,000 of them, which quick writers make in a minute. */
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

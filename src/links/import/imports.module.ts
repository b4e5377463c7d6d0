import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { QueueModule, QueueWorkModule } from '../../platform/queue/queue.module.js'
import { LinksModule } from '../links.module.js'
import { BodiesRepository } from './bodies.repository.js'
import { DryRuns } from './dry-runs.js'
import { FaultsRepository } from './faults.repository.js'
import { ImportJob, ImportsJob } from './import-job-handlers.js'
import { ImportRunner } from './import-runner.js'
import { ImportStep } from './import-step.js'
import { Import, ImportChunk, ImportDryRunKey, ImportFault } from './import.entity.js'
import { ImportsController } from './imports.controller.js'
import { ImportsRepository } from './imports.repository.js'
import { ImportsService } from './imports.service.js'
import { importJobs } from './import-jobs.js'
import { Upload } from './upload.js'

@Module({
  imports: [TypeOrmModule.forFeature([Import, ImportChunk, ImportDryRunKey, ImportFault])],
  providers: [importJobs, BodiesRepository, FaultsRepository, ImportsRepository],
  exports: [BodiesRepository, FaultsRepository, ImportsRepository],
})
class ImportsModule {}

/** The HTTP API of imports. */
@Module({
  imports: [ImportsModule, QueueModule],
  controllers: [ImportsController],
  providers: [ImportsService, Upload],
})
export class ImportsApiModule {}

/** What a worker does for imports. */
@Module({
  imports: [ImportsModule, LinksModule, QueueModule, QueueWorkModule],
  providers: [DryRuns, ImportJob, ImportRunner, ImportsJob, ImportStep],
})
export class ImportsWorkerModule {}

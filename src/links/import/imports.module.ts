import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { EventsModule } from '../../events/events.module.js'
import { QueueModule, QueueWorkModule } from '../../platform/queue/queue.module.js'
import { LinksModule } from '../links.module.js'
import { BodiesRepository } from './bodies.repository.js'
import { DryRuns } from './dry-runs.js'
import { FaultsRepository } from './faults.repository.js'
import { ImportRunner } from './import-runner.js'
import { ImportStep } from './import-step.js'
import { Import, ImportChunk, ImportDryRunKey, ImportFault } from './import.entity.js'
import { ImportsController } from './imports.controller.js'
import { ImportsRepository } from './imports.repository.js'
import { ImportsService } from './imports.service.js'
import { ImportJob, importJobs, MaintainImportsJob } from './import-jobs.js'
import { UploadWriter } from './upload.js'

@Module({
  imports: [EventsModule, TypeOrmModule.forFeature([Import, ImportChunk, ImportDryRunKey, ImportFault])],
  providers: [importJobs, BodiesRepository, FaultsRepository, ImportsRepository],
  exports: [BodiesRepository, FaultsRepository, ImportsRepository],
})
class ImportsModule {}

/** The HTTP API of imports. */
@Module({
  imports: [ImportsModule, QueueModule],
  controllers: [ImportsController],
  providers: [ImportsService, UploadWriter],
})
export class ImportsApiModule {}

/** Runs imports in worker processes. */
@Module({
  imports: [ImportsModule, LinksModule, QueueModule, QueueWorkModule],
  providers: [DryRuns, ImportJob, ImportRunner, ImportStep, MaintainImportsJob],
})
export class ImportsWorkerModule {}

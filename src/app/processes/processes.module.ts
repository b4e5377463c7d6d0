import { Module } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { ServiceProcess } from './process.entity.js'
import { ProcessReporter } from './process-reporter.js'
import { ProcessesRepository } from './processes.repository.js'

/** The list of running processes, in every role. `measured` lists the modules that the report reads from. */
@Module({})
export class ProcessesModule {
  static with(...measured: Type[]): DynamicModule {
    return {
      module: ProcessesModule,
      imports: [TypeOrmModule.forFeature([ServiceProcess]), ...measured],
      providers: [ProcessReporter, ProcessesRepository],
      exports: [ProcessesRepository],
    }
  }
}

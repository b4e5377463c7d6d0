/** Who does which job. A provider says so with `@Handles('…')`; each job has exactly one, or workers do not start. */
import { Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'

import { JobRegistry } from './jobs.js'
import type { JobName, Jobs } from './jobs.js'

export interface JobHandler<Name extends JobName> {
  handle(payload: Jobs[Name]): Promise<void>
}

const handles = DiscoveryService.createDecorator<JobName>()

export function Handles<Name extends JobName>(name: Name) {
  return (target: new (...dependencies: never[]) => JobHandler<Name>): void => {
    handles(name)(target)
  }
}

@Injectable()
export class JobHandlers implements OnModuleInit {
  private readonly handlers = new Map<string, JobHandler<JobName>>()

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly jobs: JobRegistry,
  ) {}

  onModuleInit(): void {
    const found = this.discovery.getProviders({ metadataKey: handles.KEY }).map((wrapper) => ({
      job: this.discovery.getMetadataByDecorator(handles, wrapper),
      className: String(wrapper.name),
      handler: wrapper.instance as JobHandler<JobName>,
    }))
    const mistakes = this.jobs.names.flatMap((name) => {
      const of = found.filter(({ job }) => job === name)
      if (of.length === 1) return []
      return of.length === 0
        ? `nobody handles ${name}`
        : `${of.map(({ className }) => className).join(' and ')} handle ${name}`
    })
    if (mistakes.length > 0)
      throw new Error(`Every job needs one class with @Handles, but ${mistakes.join('; ')}.`)
    for (const { job, handler } of found) if (job) this.handlers.set(job, handler)
  }

  of(name: string): JobHandler<JobName> | undefined {
    return this.handlers.get(name)
  }
}

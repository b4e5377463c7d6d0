/**
 * Collects the jobs of all features. A feature adds the payload of each job to `Jobs` (`declare module`), and declares
 * the job in one of its modules: `providers: [declareJobs({…})]`.
 */
import { Injectable } from '@nestjs/common'
import type { FactoryProvider, OnModuleInit } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'

import type { RunningSettings } from '../../settings.js'

/** The payload of each job by its name. Payloads contain only IDs, because rows may change before the job runs. */
export interface Jobs {}

export type JobName = keyof Jobs

export interface JobDeclaration<Name extends JobName> {
  /**
   * Allows hints for this job. Hints with the same key share one waiting job and never run concurrently. Low-priority
   * hints (`isLowPriority`) have a separate job.
   */
  hintKey?: (payload: Jobs[Name]) => string
  /** Whether the job has low priority. */
  isLowPriority?: (payload: Jobs[Name]) => boolean
  /** The interval at which the queue repeats the job, once across all replicas. */
  everyMs?: (settings: RunningSettings) => number
}

type JobDeclarations<Name extends JobName> = { readonly [Each in Name]: JobDeclaration<Each> }

class DeclaredJobs {
  constructor(readonly jobs: Partial<JobDeclarations<JobName>>) {}
}

export function declareJobs<Name extends JobName>(jobs: JobDeclarations<Name>): FactoryProvider {
  return {
    provide: Symbol('jobs'),
    useFactory: () => new DeclaredJobs(jobs),
  }
}

/** All jobs that the modules of this process declare. */
@Injectable()
export class JobRegistry {
  private collected: Partial<JobDeclarations<JobName>> | null = null

  constructor(private readonly discovery: DiscoveryService) {}

  get names(): JobName[] {
    return Object.keys(this.declarations) as JobName[]
  }

  getDeclaration<Name extends JobName>(name: Name): JobDeclaration<Name> {
    const declaration: JobDeclaration<Name> | undefined = this.declarations[name]
    if (!declaration) throw new Error(`No module declares the job ${name}.`)
    return declaration
  }

  /** Collected on first use, when all modules are loaded. */
  private get declarations(): Partial<JobDeclarations<JobName>> {
    return (this.collected ??= this.collectDeclarations())
  }

  private collectDeclarations(): Partial<JobDeclarations<JobName>> {
    const declared = this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof DeclaredJobs ? [instance.jobs] : []))
    const names = declared.flatMap((jobs) => Object.keys(jobs))
    const duplicate = names.find((name, index) => names.indexOf(name) !== index)
    if (duplicate !== undefined) throw new Error(`Two modules declare the job ${duplicate}.`)
    return Object.assign({}, ...declared) as Partial<JobDeclarations<JobName>>
  }
}

/** Runs one kind of job. Mark the provider with `@Handles('…')`. Workers start only if every job has a handler. */
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
      const matches = found.filter(({ job }) => job === name)
      if (matches.length === 1) return []
      return matches.length === 0
        ? `no class handles ${name}`
        : `${matches.map(({ className }) => className).join(' and ')} handle ${name}`
    })
    if (mistakes.length > 0)
      throw new Error(`Every job needs one class with @Handles, but ${mistakes.join('; ')}.`)
    for (const { job, handler } of found) if (job) this.handlers.set(job, handler)
  }

  getHandler(name: string): JobHandler<JobName> | undefined {
    return this.handlers.get(name)
  }
}

import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { decodeId } from '../../platform/database/ids.js'
import { currentMs } from '../../platform/util/clock.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { mostSubjects } from '../limits.js'
import { type People, answerOf, isWholeUtcDays, visitorsIn } from './answer.js'
import type { AnalyticsDto } from './analytics.dto.js'
import { AnalyticsRepository } from './analytics.repository.js'
import type { Context, Figures } from './analytics.repository.js'
import { refuseTooMuch } from './budget.js'
import { dimensionsOf } from './figures-statement.js'
import type { FiguresQuestion } from './figures-statement.js'
import { askedOf, timesOf } from './analytics-request.js'
import type { AnalyticsQuery, LinkAnalyticsQuery } from './analytics-query.dto.js'
import type { Asked, Times } from './analytics-request.js'
import { readingPlan } from './reading-plan.js'

@Injectable()
export class AnalyticsService {
  constructor(
    private readonly repository: AnalyticsRepository,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
  ) {}

  countWorkspaceClicks(caller: Caller, query: AnalyticsQuery): Promise<AnalyticsDto> {
    return this.count(caller.workspaceId, null, askedOf(query))
  }

  async countLinkClicks(caller: Caller, id: string, query: LinkAnalyticsQuery): Promise<AnalyticsDto> {
    const linkId = decodeId('lnk', id)
    if (!linkId) throw notFound('link')
    return this.count(caller.workspaceId, linkId, askedOf(query))
  }

  private count(workspaceId: string, link: string | null, asked: Asked): Promise<AnalyticsDto> {
    const now = currentMs()
    const wanted = link === null ? (asked.filters.get('link') ?? []) : [link]
    const ids = wanted.filter((id) => id !== null)
    return this.repository.inSnapshot(async (tx) => {
      const context = await this.repository.context(
        tx,
        workspaceId,
        ids,
        link ?? workspaceId,
        asked.interval === 'all',
      )
      if (link !== null && context.links.length === 0) throw notFound('link')
      const times = timesOf(asked, now, context.firstClick?.getTime() ?? now)
      const question = questionOf(workspaceId, link, asked, times, context)
      const figures = await this.read(tx, question, context, now)
      const before = times.previous && {
        ...question,
        range: times.previous,
        buckets: null,
        group: null,
        byTag: false,
      }
      return answerOf({
        asked,
        times,
        now,
        figures,
        people: await this.people(tx, question, context),
        previous: before && (await this.read(tx, before, context, now)),
        previousPeople: before && (await this.people(tx, before, context)),
        slugs: asked.group === 'link' ? await this.slugsOf(tx, figures) : new Map(),
        shortUrlBase: this.settings.shortUrlBase,
      })
    })
  }

  private async read(
    tx: EntityManager,
    question: FiguresQuestion,
    { keptFrom }: Context,
    now: number,
  ): Promise<Figures> {
    const { range, buckets, links } = question
    const dimensions = dimensionsOf(question)
    const of = links ? ('links' as const) : ('workspace' as const)
    const truncatedDays = await this.truncatedDays(tx, question)
    const countedUntil = await this.repository.countedUntil(tx, question)
    const plan = readingPlan({ range, buckets, of, dimensions, truncatedDays, countedUntil }, now)
    await refuseTooMuch(range, plan, keptFrom, (part) => this.repository.clicksByDay(tx, question, part))
    return this.repository.figures(tx, question, plan)
  }

  /** Days on which a filtered value has no count of its own. Its clicks of such a day are read one by one. */
  private async truncatedDays(tx: EntityManager, question: FiguresQuestion): Promise<number[]> {
    const [dimension, ...others] = dimensionsOf(question)
    if (dimension === undefined || dimension === 'link' || others.length > 0) return []
    const values = question.filters.get(dimension)?.filter((value) => value !== null) ?? []
    return values.length === 0 ? [] : this.repository.truncatedDays(tx, question, dimension, values)
  }

  /** Visitors are known only for days of UTC, and only for the workspace or for one link. Null otherwise. */
  private async people(
    tx: EntityManager,
    question: FiguresQuestion,
    context: Context,
  ): Promise<People | null> {
    const { workspaceId, range, buckets } = question
    const link = onlyLinkOf(question, context)
    if (link === undefined || !(isWholeUtcDays(range) || buckets !== null)) return null
    return visitorsIn(await this.repository.visitors(tx, workspaceId, link, range, context.keptFrom))
  }

  private async slugsOf(tx: EntityManager, { rows }: Figures): Promise<Map<string, string>> {
    return this.repository.slugs(
      tx,
      rows.flatMap(({ key }) => key ?? []),
    )
  }
}

/** A few links are read from their own counts, unless the response groups by link or filters by tag. */
function questionOf(
  workspaceId: string,
  link: string | null,
  { filters, tags, group, limit }: Asked,
  { range, buckets }: Times,
  { links }: Context,
): FiguresQuestion {
  const byTag = group === 'tag'
  const question = {
    workspaceId,
    range,
    buckets,
    byTag,
    tags,
    limit,
    group: byTag ? ('link' as const) : group,
  }
  if (link !== null) return { ...question, filters, links: [link] }
  const isOwn =
    filters.has('link') && links.length <= mostSubjects && question.group !== 'link' && tags === null
  if (!isOwn) return { ...question, filters, links: null }
  const others = new Map([...filters].filter(([dimension]) => dimension !== 'link'))
  return { ...question, filters: others, links }
}

/** The one link whose clicks are all wanted, or null for the whole workspace. Undefined when it is neither. */
function onlyLinkOf({ filters, tags, links }: FiguresQuestion, known: Context): string | null | undefined {
  const wanted = links ?? filters.get('link')
  const others = [...filters.keys()].some((dimension) => dimension !== 'link')
  if (others || tags) return undefined
  if (!wanted) return null
  return new Set(wanted).size === 1 ? known.links[0] : undefined
}

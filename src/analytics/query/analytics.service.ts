import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { decodeId } from '../../platform/database/ids.js'
import { currentMs } from '../../platform/util/clock.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { maxLinksReadAlone } from '../limits.js'
import {
  type VisitorCounter,
  createAnalyticsResponse,
  isWholeUtcDays,
  createVisitorCounter,
} from './analytics-response.js'
import type { AnalyticsDto } from './analytics.dto.js'
import { AnalyticsRepository } from './analytics.repository.js'
import type { Context, Figures } from './analytics.repository.js'
import { rejectTooManyClicks } from './budget.js'
import { usedDimensions } from './figures-statement.js'
import type { FiguresRequest } from './figures-statement.js'
import { parseAnalyticsRequest, resolveTimes } from './analytics-request.js'
import type { AnalyticsQuery, LinkAnalyticsQuery } from './analytics-query.dto.js'
import type { AnalyticsRequest, RequestTimes } from './analytics-request.js'
import { createReadingPlan } from './reading-plan.js'

@Injectable()
export class AnalyticsService {
  constructor(
    private readonly repository: AnalyticsRepository,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
  ) {}

  countWorkspaceClicks(caller: Caller, query: AnalyticsQuery): Promise<AnalyticsDto> {
    const request = parseAnalyticsRequest(query)
    const tags = caller.tags ? [...(request.tags ?? []), caller.tags] : request.tags
    return this.countClicks(caller, null, { ...request, tags })
  }

  async countLinkClicks(caller: Caller, id: string, query: LinkAnalyticsQuery): Promise<AnalyticsDto> {
    const linkId = decodeId('lnk', id)
    if (!linkId) throw notFound('link')
    return this.countClicks(caller, linkId, parseAnalyticsRequest(query))
  }

  private countClicks(caller: Caller, link: string | null, request: AnalyticsRequest): Promise<AnalyticsDto> {
    const { workspaceId } = caller
    const now = currentMs()
    const links = link === null ? (request.filters.get('link') ?? []) : [link]
    const ids = links.filter((id) => id !== null)
    return this.repository.inSnapshot(async (tx) => {
      const context = await this.repository.readContext(
        tx,
        caller,
        ids,
        link ?? workspaceId,
        request.interval === 'all',
      )
      if (link !== null && context.links.length === 0) throw notFound('link')
      const times = resolveTimes(request, now, context.firstClick?.getTime() ?? now)
      const figuresRequest = createFiguresRequest(caller, link, request, times, context)
      const figures = await this.readFigures(tx, figuresRequest, context, now)
      const previousRequest = times.previous && {
        ...figuresRequest,
        range: times.previous,
        buckets: null,
        group: null,
        byTag: false,
      }
      return createAnalyticsResponse({
        request,
        times,
        now,
        figures,
        countVisitors: await this.readVisitors(tx, figuresRequest, context),
        previous: previousRequest && (await this.readFigures(tx, previousRequest, context, now)),
        countPreviousVisitors: previousRequest && (await this.readVisitors(tx, previousRequest, context)),
        slugs: request.group === 'link' ? await this.readSlugs(tx, figures) : new Map(),
        shortUrlBase: this.settings.shortUrlBase,
      })
    })
  }

  private async readFigures(
    tx: EntityManager,
    figuresRequest: FiguresRequest,
    { keptFrom }: Context,
    now: number,
  ): Promise<Figures> {
    const { range, buckets, links } = figuresRequest
    const dimensions = usedDimensions(figuresRequest)
    const countsOf = links ? ('links' as const) : ('workspace' as const)
    const truncatedDays = await this.findTruncatedDays(tx, figuresRequest)
    const countedUntil = await this.repository.readCountedUntil(tx, figuresRequest)
    const plan = createReadingPlan({ range, buckets, countsOf, dimensions, truncatedDays, countedUntil }, now)
    await rejectTooManyClicks(range, plan, { keptFrom, showsNumber: !figuresRequest.isRestricted }, (part) =>
      this.repository.countClicksByDay(tx, figuresRequest, part),
    )
    return this.repository.readFigures(tx, figuresRequest, plan)
  }

  /** Returns the days on which a filtered value was not counted separately. These days are read from clicks. */
  private async findTruncatedDays(tx: EntityManager, figuresRequest: FiguresRequest): Promise<number[]> {
    const [dimension, ...others] = usedDimensions(figuresRequest)
    if (dimension === undefined || dimension === 'link' || others.length > 0) return []
    const values = figuresRequest.filters.get(dimension)?.filter((value) => value !== null) ?? []
    return values.length === 0 ? [] : this.repository.readTruncatedDays(tx, figuresRequest, dimension, values)
  }

  /** Visitors are counted per UTC day. Returns null for a range of partial days without buckets. */
  private async readVisitors(
    tx: EntityManager,
    figuresRequest: FiguresRequest,
    context: Context,
  ): Promise<VisitorCounter | null> {
    const { workspaceId, range, buckets } = figuresRequest
    const subject = findVisitorSubject(figuresRequest, context)
    if (!subject || !(isWholeUtcDays(range) || buckets !== null)) return null
    return createVisitorCounter(
      await this.repository.readVisitorsByDay(tx, workspaceId, subject.link, range, context.keptFrom),
    )
  }

  private async readSlugs(tx: EntityManager, { rows }: Figures): Promise<Map<string, string>> {
    return this.repository.readSlugs(
      tx,
      rows.flatMap(({ key }) => key ?? []),
    )
  }
}

/** Reads a few filtered links from their own counts, unless the response groups by link or filters by tag. */
function createFiguresRequest(
  { workspaceId, tags: callerTags }: Caller,
  link: string | null,
  { filters, tags, group, sort, limit }: AnalyticsRequest,
  { range, buckets }: RequestTimes,
  { links }: Context,
): FiguresRequest {
  const byTag = group === 'tag'
  const figuresRequest = {
    workspaceId,
    range,
    buckets,
    byTag,
    tags,
    sort,
    limit,
    group: byTag ? ('link' as const) : group,
    isRestricted: callerTags !== null,
  }
  if (link !== null) return { ...figuresRequest, filters, links: [link] }
  const readsLinks =
    filters.has('link') &&
    links.length <= maxLinksReadAlone &&
    figuresRequest.group !== 'link' &&
    tags === null
  if (!readsLinks) return { ...figuresRequest, filters, links: null }
  const otherFilters = new Map([...filters].filter(([dimension]) => dimension !== 'link'))
  return { ...figuresRequest, filters: otherFilters, links }
}

/** Visitors are counted for the whole workspace (`link` is null) and for each link. Returns null for other requests. */
function findVisitorSubject(
  { filters, tags, links }: FiguresRequest,
  context: Context,
): { link: string | null } | null {
  const requestedLinks = links ?? filters.get('link')
  const hasOtherFilters = [...filters.keys()].some((dimension) => dimension !== 'link')
  if (hasOtherFilters || tags) return null
  if (!requestedLinks) return { link: null }
  const [link] = context.links
  return link !== undefined && new Set(requestedLinks).size === 1 ? { link } : null
}

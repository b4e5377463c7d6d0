import { Inject, Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../platform/config/settings.js'
import type { RunningSettings } from '../../platform/config/settings.js'
import { decodeId } from '../../platform/database/ids.js'
import { currentMs } from '../../platform/util/clock.js'
import { notFound, Problem } from '../../platform/http/problems/problem.js'
import { analyticsProblems } from '../analytics-problems.js'
import { linkOfKey } from '../dimensions.js'
import type { Dimension } from '../dimensions.js'
import { mostSubjects } from '../limits.js'
import { type People, answerOf, isWholeUtcDays, visitorsIn } from './answer.js'
import type { AnalyticsDto } from './analytics.dto.js'
import { AnalyticsRepository } from './analytics.repository.js'
import type { Context, Figures } from './analytics.repository.js'
import { refuseTooMuch } from './budget.js'
import type { FiguresQuestion } from './figures-statement.js'
import { askedOf, timesOf } from './analytics-request.js'
import type { AnalyticsQuery, LinkAnalyticsQuery } from './analytics-query.dto.js'
import type { Asked, Times } from './analytics-request.js'
import { readingPlan } from './reading-plan.js'
import type { TimeRange } from './range.js'

/** Seconds after which a caller may ask again whether it is prepared. */
const preparingRetrySeconds = 30

@Injectable()
export class AnalyticsService {
  constructor(
    private readonly repository: AnalyticsRepository,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
  ) {}

  ofWorkspace(caller: Caller, query: AnalyticsQuery): Promise<AnalyticsDto> {
    return this.answer(caller.workspaceId, null, askedOf(query))
  }

  async ofLink(caller: Caller, id: string, query: LinkAnalyticsQuery): Promise<AnalyticsDto> {
    const linkId = decodeId('lnk', id)
    if (!linkId) throw notFound('link')
    return this.answer(caller.workspaceId, linkId, askedOf(query))
  }

  private async answer(workspaceId: string, link: string | null, asked: Asked): Promise<AnalyticsDto> {
    const now = currentMs()
    const wanted = link === null ? (asked.filters.get('link') ?? []) : [link]
    const links = wanted.filter((id) => id !== null)
    const isAll = asked.interval === 'all'
    const context = await this.repository.context(workspaceId, links, link ?? workspaceId, isAll)
    if (link !== null && context.links.length === 0) throw notFound('link')
    if (!context.isPrepared) throw preparing(context.progress)

    const times = timesOf(asked, now, context.firstClick?.getTime() ?? now)
    const question = questionOf(workspaceId, link, asked, times, context)
    const figures = await this.read(question, context)
    const previous = times.previous
      ? await this.read(
          { ...question, range: times.previous, buckets: null, group: null, byTag: false },
          context,
        )
      : null
    return answerOf({
      asked,
      times,
      now,
      figures,
      people: await this.people(question, times.range, context),
      previous,
      previousPeople: times.previous && (await this.people(question, times.previous, context)),
      before: isAll && hasNoFilter(asked) ? context.before : null,
      links: asked.group === 'link' ? await this.labelsOf(figures) : new Map(),
      shortUrlBase: this.settings.shortUrlBase,
    })
  }

  private async read(question: FiguresQuestion, context: Context): Promise<Figures> {
    const { range, buckets, links } = question
    const dimensions = dimensionsOf(question)
    const of = links ? ('links' as const) : ('workspace' as const)
    const until = {
      months: context.monthsUntil?.getTime() ?? -Infinity,
      sums: context.sumsUntil?.getTime() ?? -Infinity,
    }
    const plan = readingPlan({ range, buckets, of, dimensions }, until)
    const read = plan.kind === 'clicks' ? [range] : plan.edges
    if (read.length > 0)
      await refuseTooMuch({ range, read, plan, of, dimensions, keptFrom: context.keptFrom }, (piece) =>
        this.repository.clicksByDay(links, piece),
      )
    return this.repository.figures(question, plan)
  }

  /** Visitors are known only for days of UTC, and only for the workspace or for one link. Null otherwise. */
  private async people(
    question: FiguresQuestion,
    range: TimeRange,
    context: Context,
  ): Promise<People | null> {
    const { workspaceId, buckets } = question
    const link = onlyLinkOf(question, context)
    if (link === undefined || !(isWholeUtcDays(range) || buckets !== null)) return null
    return visitorsIn(await this.repository.visitors(workspaceId, link, range, context.keptFrom))
  }

  private async labelsOf({ rows }: Figures): Promise<Map<string, string>> {
    return this.repository.labels(rows.flatMap(({ key }) => (key === null ? [] : [linkOfKey(key)])))
  }
}

/** A few links are read from their own breakdowns, unless the answer groups by link or filters by tag. */
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

function dimensionsOf({ filters, tags, group }: FiguresQuestion): Dimension[] {
  return [...new Set([...filters.keys(), ...(tags ? (['link'] as const) : []), ...(group ? [group] : [])])]
}

function hasNoFilter({ filters, tags }: Asked): boolean {
  return filters.size === 0 && tags === null
}

function preparing(progress: number): Problem {
  const percent = Math.floor(progress * 100)
  return new Problem(analyticsProblems.analytics_preparing, {
    detail: `The clicks from before are being counted: ${percent} per cent are done.`,
    headers: { 'retry-after': String(preparingRetrySeconds) },
    more: { progress: percent / 100 },
  })
}

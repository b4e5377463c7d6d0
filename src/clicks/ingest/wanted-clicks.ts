/** Selects the clicks that a webhook wants, so that other clicks create no events. */
import { compileFilter } from '../../events/webhook-filter.js'
import type { FilteringWebhook, FindUnmetCondition } from '../../events/webhook-filter.js'
import type { NewClick } from '../click.entity.js'

/** The webhooks that subscribe to clicks, by workspace. Null if one of them has no filter and so wants all clicks. */
export type WantedClicks = ReadonlyMap<string, readonly FilteringWebhook[] | null>

/** Returns the tags of the links that have one of `tags`, by link ID. */
type FindTags = (linkIds: readonly string[], tags: readonly string[]) => Promise<Map<string, string[]>>

/** Reads tags only of links whose clicks pass all other conditions. */
export async function selectWantedClicks(
  clicks: readonly NewClick[],
  wanted: WantedClicks,
  findTags: FindTags,
): Promise<NewClick[]> {
  const subscribed = clicks.filter(({ workspaceId }) => wanted.has(workspaceId))
  const withoutTags = compileAll(wanted, ignoreTags)
  const candidates = subscribed.filter((click) => passesAny(withoutTags, click, []))
  const tags = collectTags(wanted)
  if (tags.length === 0) return candidates

  const linkIds = new Set(
    candidates.flatMap((click) => (withoutTags.has(click.workspaceId) ? click.linkId : [])),
  )
  const tagsOfLinks = await findTags([...linkIds], tags)
  const filters = compileAll(wanted, (webhook) => webhook)
  return candidates.filter((click) => passesAny(filters, click, tagsOfLinks.get(click.linkId) ?? []))
}

/** The filters of the workspaces that do not want all clicks. */
type CompiledFilters = ReadonlyMap<string, FindUnmetCondition[]>

function compileAll(
  wanted: WantedClicks,
  prepare: (webhook: FilteringWebhook) => FilteringWebhook,
): CompiledFilters {
  return new Map(
    [...wanted].flatMap(([workspaceId, webhooks]) =>
      webhooks ? [[workspaceId, webhooks.map((webhook) => compileFilter(prepare(webhook)))]] : [],
    ),
  )
}

function ignoreTags(webhook: FilteringWebhook): FilteringWebhook {
  const filter = { ...webhook.filter }
  delete filter.tags
  return { ...webhook, filter, restrictedTags: null }
}

function passesAny(filters: CompiledFilters, click: NewClick, tags: readonly string[]): boolean {
  const event = {
    type: 'click' as const,
    linkId: click.linkId,
    data: { click: { bot: click.bot }, link: { id: click.linkId, tags } },
  }
  return filters.get(click.workspaceId)?.some((findUnmet) => findUnmet(event) === null) ?? true
}

function collectTags(wanted: WantedClicks): string[] {
  const tags = [...wanted.values()].flatMap((webhooks) =>
    (webhooks ?? []).flatMap(({ filter, restrictedTags }) => [
      ...(filter?.tags ?? []),
      ...(restrictedTags ?? []),
    ]),
  )
  return [...new Set(tags)]
}

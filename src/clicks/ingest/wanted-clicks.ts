/** Selects the clicks that a webhook wants, so that other clicks create no events. */
import { compileFilter } from '../../events/webhook-filter.js'
import type { FilteringWebhook, FindUnmetCondition } from '../../events/webhook-filter.js'
import type { NewClick } from '../click.entity.js'

/** The webhooks that subscribe to clicks, by workspace. Null if one of them has no filter and so wants all clicks. */
export type WantedClicks = ReadonlyMap<string, readonly FilteringWebhook[] | null>

/** Returns the tags of the links that have one of `tags`, by link ID. */
type FindTags = (linkIds: readonly string[], tags: readonly string[]) => Promise<Map<string, string[]>>

/** Reads tags only if a filter needs them, and once for each clicked link. */
export async function selectWantedClicks(
  clicks: readonly NewClick[],
  wanted: WantedClicks,
  findTags: FindTags,
): Promise<NewClick[]> {
  const subscribed = clicks.filter(({ workspaceId }) => wanted.has(workspaceId))
  const filters = compileFilters(wanted)
  const tags = collectTags(wanted)
  const filtered = subscribed.filter(({ workspaceId }) => filters.has(workspaceId))
  const linkIds = new Set(filtered.map(({ linkId }) => linkId))
  const tagsOfLinks = tags.length > 0 ? await findTags([...linkIds], tags) : new Map<string, string[]>()
  return subscribed.filter((click) => passesAny(filters, click, tagsOfLinks.get(click.linkId) ?? []))
}

/** The filters of the workspaces that do not want all clicks. */
type CompiledFilters = ReadonlyMap<string, FindUnmetCondition[]>

function compileFilters(wanted: WantedClicks): CompiledFilters {
  return new Map(
    [...wanted].flatMap(([workspaceId, webhooks]) =>
      webhooks ? [[workspaceId, webhooks.map(compileFilter)]] : [],
    ),
  )
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

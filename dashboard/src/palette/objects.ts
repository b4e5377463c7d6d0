/** Finds links, webhooks and the page of a pasted ID. */
import { NotFoundError } from '@link-service/client'
import type { Webhook } from '@link-service/client'

import { service } from '../api/client.js'
import type { Scope } from '../app/menu-pages.js'
import { isDeleted } from '../app/pending-deletions.js'
import { visit } from '../app/router.js'
import { can } from '../app/session.js'
import type { IconName } from '../components/icon.js'
import type { PaletteItem } from './commands.js'

const maxLinks = 8
const maxWebhooks = 1_000
const maxShownWebhooks = 5
/** Number of webhooks that are searched for a delivery at the same time. */
const parallelCalls = 6

interface ObjectPage {
  title: string
  icon: IconName
  scope: Scope
  getPagePath: (id: string) => string
}

const objectPages: Readonly<Record<string, ObjectPage>> = {
  lnk: { title: 'Open link', icon: 'links', scope: 'links:read', getPagePath: (id) => `/links/${id}` },
  wh: {
    title: 'Open webhook',
    icon: 'webhooks',
    scope: 'webhooks:read',
    getPagePath: (id) => `/webhooks/${id}`,
  },
  evt: { title: 'Open event', icon: 'events', scope: 'events:read', getPagePath: (id) => `/events/${id}` },
  tok: {
    title: 'Show token',
    icon: 'tokens',
    scope: 'tokens:read',
    getPagePath: (id) => `/settings/tokens?token=${id}`,
  },
}

const idPattern = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/

export function isId(text: string): boolean {
  return idPattern.test(text)
}

/** Returns the page of an ID. Deliveries need a search, because their page belongs to a webhook. */
export function findObject(id: string): PaletteItem | null {
  const page = objectPages[idPattern.exec(id)?.[1] ?? '']
  if (!page || !can(page.scope)) return null
  const { title, icon, getPagePath } = page
  return { id, group: 'Go to', icon, title, detail: id, run: () => visit(getPagePath(id)) }
}

export function listWebhooks(signal: AbortSignal): Promise<Webhook[]> {
  return service.webhooks.list({ limit: 100 }, { signal }).toArray(maxWebhooks)
}

export function matchWebhooks(
  webhooks: readonly Webhook[],
  matches: (text: string) => boolean,
): PaletteItem[] {
  return webhooks
    .filter(({ url, description }) => matches(`${url} ${description ?? ''}`))
    .slice(0, maxShownWebhooks)
    .map(({ id, url, description }) => ({
      id,
      group: 'Webhooks',
      icon: 'webhooks',
      title: description ?? url,
      ...(description === null ? {} : { detail: url }),
      run: () => visit(`/webhooks/${id}`),
    }))
}

/** Searches links by text, or finds the delivery with the given ID. */
export function searchService(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  if (text.startsWith('dlv_') && isId(text)) return findDelivery(text, signal)
  return isId(text) ? Promise.resolve([]) : searchLinks(text, signal)
}

async function searchLinks(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  if (!can('links:read')) return []
  const { data } = await service.links.list({ q: text, limit: maxLinks }, { signal }).page()
  return data
    .filter(({ id }) => !isDeleted(id))
    .map(({ id, slug, title, url }) => ({
      id,
      group: 'Links',
      icon: 'links',
      title: `/${slug}`,
      detail: title === null ? url : `${title} · ${url}`,
      run: () => visit(`/links/${id}`),
    }))
}

async function findDelivery(id: string, signal: AbortSignal): Promise<PaletteItem[]> {
  if (!can('webhooks:read')) return []
  const webhooks = await listWebhooks(signal)
  for (let first = 0; first < webhooks.length; first += parallelCalls) {
    const some = webhooks.slice(first, first + parallelCalls)
    const found = await Promise.all(some.map((webhook) => hasDelivery(webhook.id, id, signal)))
    const webhook = some[found.indexOf(true)]
    if (webhook)
      return [
        {
          id,
          group: 'Go to',
          icon: 'webhooks',
          title: 'Open delivery',
          detail: id,
          run: () => visit(`/webhooks/${webhook.id}/deliveries/${id}`),
        },
      ]
  }
  return []
}

async function hasDelivery(webhookId: string, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await service.webhooks.delivery(webhookId, id, { signal })
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}

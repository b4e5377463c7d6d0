/** A workspace with links of two parties, and a token that is restricted to the tags of one of them. */
import { DataSource } from 'typeorm'

import type { WantedRestrictions } from '../../src/auth/restrictions.js'
import { writeClicks } from '../../src/clicks/ingest/write-clicks.js'
import { encodeId } from '../../src/platform/database/ids.js'
import { createClick, readIdentity } from './factories/clicks.js'
import { makeDelivery } from './factories/deliveries.js'
import { decodeId } from '../../src/platform/database/ids.js'
import { startService } from './service.js'
import type { Service } from './service.js'
import { waitForCompleteFeed } from './factories/events.js'

interface Party {
  id: string
  slug: string
  externalId: string
  clickId: string
  eventId: string
  webhookId: string
  tokenId: string
}

export interface TagWorld {
  service: Service
  /** Restricted to the tag `own`, and to the tags `own` and `shared`. */
  tokens: { single: string; several: string }
  own: Party & { childId: string }
  /** A token that the one for several tags created. */
  otherChildId: string
  foreign: Party & { deletedSlug: string; otherWebhookId: string; deliveryId: string; importId: string }
  /** Texts that only the foreign link and what belongs to it have. */
  secrets: string[]
}

export async function createTagWorld(): Promise<TagWorld> {
  const service = await startService({
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  })
  try {
    return await fillWorld(service)
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function fillWorld(service: Service): Promise<TagWorld> {
  const mint = (restrictions?: WantedRestrictions) =>
    service.mint(undefined, undefined, undefined, restrictions)
  const single = await mint({ tags: ['own'] })
  const several = await mint({ tags: ['own', 'shared'] })
  const foreignToken = await service.call('POST', '/v1/auth/token', { body: { name: 'foreign-token-name' } })
  const child = await service.call('POST', '/v1/auth/token', {
    token: single.token,
    body: { name: 'own child' },
  })
  const otherChild = await service.call('POST', '/v1/auth/token', {
    token: several.token,
    body: { name: 'own child' },
  })

  // Created first, so that the events of all links have a webhook.
  const createTokenWebhook = async (token: string, url: string) =>
    (await service.call('POST', '/v1/webhooks', { token, body: { url, events: ['*'] } })).body.id as string
  const foreignWebhook = await createTokenWebhook(service.token, 'http://127.0.0.1:8099/foreign-webhook')
  const otherWebhook = await createTokenWebhook(service.token, 'http://127.0.0.1:8099/foreign-webhook-2')
  const ownWebhook = await createTokenWebhook(single.token, 'http://127.0.0.1:8099/own-webhook')

  const own = await createParty(service, 'own', ['own'], 'DE')
  const foreign = await createParty(service, 'foreign', ['foreign-tag'], 'FR')
  await service.call('PATCH', `/v1/links/${foreign.id}`, { body: { title: 'foreign-title-2' } })
  const deletedSlug = 'foreign-deleted'
  const deleted = await service.call('POST', '/v1/links', {
    body: { url: 'https://foreign-url.example/deleted', slug: deletedSlug, tags: ['foreign-tag'] },
  })
  await service.call('DELETE', `/v1/links/${deleted.body.id}`)
  const imported = await service.call('POST', '/v1/imports?format=csv', {
    raw: 'url,slug\nftp://foreign-url.example/,foreign-import\n',
    headers: { 'content-type': 'text/csv' },
  })
  await waitForCompleteFeed(service)
  const uuid = decodeId('wh', foreignWebhook)!
  const delivery = await makeDelivery(
    service,
    { uuid },
    {
      eventId: decodeId('evt', foreign.eventId)!,
      type: 'link.created',
      status: 'failed',
      attempts: [{ errorClass: 'refused', errorMessage: 'foreign-error' }],
    },
  )
  return {
    service,
    tokens: { single: single.token, several: several.token },
    otherChildId: otherChild.body.id,
    own: { ...own, webhookId: ownWebhook, tokenId: single.id, childId: child.body.id },
    foreign: {
      ...foreign,
      webhookId: foreignWebhook,
      tokenId: foreignToken.body.id,
      deletedSlug,
      otherWebhookId: otherWebhook,
      deliveryId: delivery.id,
      importId: imported.body.id,
    },
    secrets: [
      'foreign-',
      foreign.id,
      foreign.clickId,
      foreign.eventId,
      foreignWebhook,
      otherWebhook,
      foreignToken.body.id,
      imported.body.id,
      delivery.id,
      deleted.body.id,
      '"FR"',
    ],
  }
}

async function createParty(service: Service, name: string, tags: string[], country: string) {
  const externalId = `${name}-external-id`
  const created = await service.call('POST', '/v1/links', {
    body: {
      url: `https://${name}-url.example/page`,
      slug: `${name}-slug`,
      title: `${name}-title`,
      note: `${name}-note`,
      external_id: externalId,
      tags,
    },
  })
  const { id, slug } = created.body
  const identity = await readIdentity(service, created.body)
  const click = createClick(identity, {
    url: `https://${name}-url.example/page`,
    country,
    utmSource: `${name}-source`,
    referrer: `https://${name}-referrer.example/`,
    referrerHost: `${name}-referrer.example`,
  })
  await service.app.get(DataSource).transaction((tx) => writeClicks(tx, [click]))
  const { data } = (await service.call('GET', `/v1/events?link_id=${id}&type=link.created`)).body
  return { id, slug, externalId, clickId: encodeId('clk', click.id), eventId: data[0].id as string }
}

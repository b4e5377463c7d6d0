/** Writes clicks as the ingester does, in a transaction of the test. */
import { DataSource } from 'typeorm'

import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { decodeId, encodeId, newId } from '../../../src/platform/database/ids.js'
import type { NewClick } from '../../../src/clicks/click.entity.js'
import type { Service } from '../service.js'
import type { LinkResponse } from './links.js'

interface LinkIdentity {
  linkId: string
  workspaceId: string
  slug: string
}

export async function readIdentity(service: Service, { id, slug }: LinkResponse): Promise<LinkIdentity> {
  const linkId = decodeId('lnk', id)!
  const [row] = await service.db.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM links WHERE id = $1',
    [linkId],
  )
  return { linkId, workspaceId: row!.workspace_id, slug }
}

export function createClick(link: LinkIdentity, fields: Partial<NewClick> = {}): NewClick {
  return {
    ...link,
    id: newId(),
    url: 'https://target.example/page',
    traceparent: null,
    occurredAt: new Date(),
    bot: false,
    referrer: null,
    referrerHost: null,
    country: null,
    browser: null,
    os: null,
    device: null,
    language: null,
    ip: null,
    visitor: null,
    region: null,
    city: null,
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
    source: null,
    ahead: null,
    eventId: null,
    ...fields,
  }
}

/** Writes and counts a click, and resolves with its public ID. */
export async function makeClick(service: Service, link: LinkResponse): Promise<string> {
  const click = createClick(await readIdentity(service, link))
  await service.app.get(DataSource).transaction((tx) => writeClicks(tx, [click]))
  return encodeId('clk', click.id)
}

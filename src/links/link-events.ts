/** The events and audit entries of changes of links. */
import type { AuditedChange } from '../audit/audit.service.js'
import type { NewEvent } from '../events/event-recorder.js'
import { linkFieldNames } from './link-fields.dto.js'
import type { LinkFields } from './link-fields.dto.js'
import type { LinkDto } from './link.dto.js'

export type LinkEvent = Extract<NewEvent, { type: 'link.created' | 'link.updated' | 'link.deleted' }> & {
  linkId: string
}

/** What an event needs to know of the link's row. */
interface EventSubject {
  id: string
  workspaceId: string
}

export function linkCreated({ id, workspaceId }: EventSubject, link: LinkDto): LinkEvent {
  return { type: 'link.created', workspaceId, linkId: id, data: { link } }
}

export function linkDeleted({ id, workspaceId }: EventSubject, link: LinkDto): LinkEvent {
  return { type: 'link.deleted', workspaceId, linkId: id, data: { link } }
}

export function linkUpdated({ id, workspaceId }: EventSubject, before: LinkDto, link: LinkDto): LinkEvent {
  const changed = linkFieldNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(link[name]))
  const previous: Partial<LinkFields> = Object.fromEntries(changed.map((name) => [name, before[name]]))
  return { type: 'link.updated', workspaceId, linkId: id, data: { link, previous } }
}

/** An audit entry names the changed fields without their values. Values may be long, and the event has them. */
export function auditOf({ type, linkId, data }: LinkEvent): AuditedChange {
  return {
    action: type,
    object: { type: 'link', id: linkId },
    details: 'previous' in data ? { fields: Object.keys(data.previous) } : { slug: data.link.slug },
  }
}

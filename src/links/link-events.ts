/** Creates the events and audit entries for changes to links. */
import type { AuditedChange } from '../audit/audit.service.js'
import type { NewEvent } from '../events/event-recorder.js'
import { linkFieldNames } from './link-fields.dto.js'
import type { LinkFields } from './link-fields.dto.js'
import type { LinkDto } from './link.dto.js'

export type LinkEvent = Extract<NewEvent, { type: 'link.created' | 'link.updated' | 'link.deleted' }> & {
  linkId: string
}

/** The columns of a link that its events need. */
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

/** Audit entries name the changed fields without their values, which can be long and are in the event. */
export function linkAudit({ type, linkId, data }: LinkEvent): AuditedChange {
  return {
    action: type,
    object: { type: 'link', id: linkId },
    details: 'previous' in data ? { fields: Object.keys(data.previous) } : { slug: data.link.slug },
  }
}

import type { NewEvent } from '../events/event-recorder.js'
import type { EventData } from '../events/catalogue.js'
import type { LinkDto } from './link.dto.js'

type Previous = EventData['link.updated']['previous']

const changeable = [
  'url',
  'title',
  'tags',
  'external_id',
  'redirect_status',
  'forward_query',
  'enabled',
  'expires_at',
] as const satisfies readonly (keyof Previous)[]

/** What an event needs of the link's row. */
interface EventSubject {
  id: string
  workspaceId: string
}

export function linkCreated({ id, workspaceId }: EventSubject, link: LinkDto): NewEvent {
  return { type: 'link.created', workspaceId, linkId: id, data: { link } }
}

export function linkDeleted({ id, workspaceId }: EventSubject, link: LinkDto): NewEvent {
  return { type: 'link.deleted', workspaceId, linkId: id, data: { link } }
}

export function linkUpdated({ id, workspaceId }: EventSubject, before: LinkDto, link: LinkDto): NewEvent {
  const changed = changeable.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(link[name]))
  const previous: Previous = Object.fromEntries(changed.map((name) => [name, before[name]]))
  return { type: 'link.updated', workspaceId, linkId: id, data: { link, previous } }
}

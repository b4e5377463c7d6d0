/** Events as they are stored, and as callers read them. */
import type { Answer, Service } from '../support/service.js'

export interface EventAnswer {
  id: string
  type: string
  timestamp: string
  data: any
}

/** All events of the token's workspace, the oldest first. */
export async function eventsOf(service: Service, token = service.token, query = ''): Promise<EventAnswer[]> {
  const { status, body, text } = await service.call('GET', `/v1/events?after=&limit=100${query}`, { token })
  if (status !== 200) throw new Error(`the events could not be read: ${text}`)
  return body.data as EventAnswer[]
}

export const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: EventAnswer) => id)
export const typesOf = (events: EventAnswer[]): string[] => events.map(({ type }) => type)

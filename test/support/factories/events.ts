/** Reads events from the database and through the API. */
import type { ServiceResponse, Service } from '../service.js'
import { waitFor } from '../wait-for.js'

export interface EventResponse {
  id: string
  type: string
  timestamp: string
  data: any
}

/**
 * Waits until the feed shows all rows, and all clicks can be counted. This requires that all older transactions on the
 * server have ended.
 */
export async function waitForCompleteFeed(
  { db }: Pick<Service, 'db'>,
  table: 'events' | 'clicks' = 'events',
): Promise<void> {
  await waitFor('older transactions to end', async () => {
    const behind = await db.query(
      `SELECT FROM ${table} WHERE tx >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint LIMIT 1`,
    )
    return behind.length === 0
  })
}

/** Returns the first 100 events of the token's workspace, oldest first. */
export async function readEvents(
  service: Service,
  token = service.token,
  query = '',
): Promise<EventResponse[]> {
  await waitForCompleteFeed(service)
  const { status, body, text } = await service.call('GET', `/v1/events?after=&limit=100${query}`, { token })
  if (status !== 200) throw new Error(`the events could not be read: ${text}`)
  return body.data as EventResponse[]
}

export const getEventIds = ({ body }: ServiceResponse): string[] =>
  body.data.map(({ id }: EventResponse) => id)
export const getEventTypes = (events: EventResponse[]): string[] => events.map(({ type }) => type)

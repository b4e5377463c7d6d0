/** A feed consumer that remembers its cursor. */
import type { ServiceResponse } from './service.js'
import { waitFor } from './wait-for.js'

export class Follower {
  readonly seen: string[] = []
  private cursor = ''

  constructor(private readonly read: (after: string) => Promise<ServiceResponse>) {}

  async follow(): Promise<void> {
    const { status, body } = await this.read(this.cursor)
    expect(status).toBe(200)
    expect(body.next_cursor).toEqual(expect.any(String))
    this.seen.push(...body.data.map(({ id }: { id: string }) => id))
    this.cursor = body.next_cursor
  }

  async waitForCount(count: number): Promise<void> {
    await waitFor(`${count} in the feed`, async () => {
      await this.follow()
      return this.seen.length >= count
    })
    await this.follow()
  }
}

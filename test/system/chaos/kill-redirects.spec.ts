/** Every redirect that a visitor received is counted once, although the service is killed repeatedly. */
import { firefox } from '../../support/factories/links.js'
import { RestartedService } from '../../support/restarted-service.js'
import { countRounds } from '../../support/rounds.js'
import { waitFor } from '../../support/wait-for.js'

const rounds = countRounds(20, 5)
const visitors = 8
const linkCount = 5

let service: RestartedService
beforeAll(async () => (service = await RestartedService.start()))
afterAll(() => service.stop())

it(
  'records every received redirect exactly once, with matching counters, across kills',
  async () => {
    const request = (method: string, path: string, body?: unknown) => service.call(method, path, body)
    const links: { id: string; slug: string }[] = []
    for (let i = 0; i < linkCount; i++)
      links.push(
        (await request('POST', '/v1/links', { url: 'https://target.example/', forward_query: true })).body,
      )

    /** The Location of each received response. It contains the number of the visit. */
    const received = new Set<string>()
    const sent = new Set<string>()
    const recorded: string[] = []
    let cursor = ''
    const readFeed = async () => {
      const { status, body } = await request('GET', `/v1/clicks?limit=100&after=${cursor}`)
      if (status !== 200) throw new Error(`The feed returned ${status}.`)
      recorded.push(...body.data.map(({ url }: { url: string }) => url))
      cursor = body.next_cursor
      return body.data.length as number
    }

    for (let round = 0; round < rounds; round++) {
      const { origin } = service
      let killed = false
      let inRound = 0
      await Promise.all(
        Array.from({ length: visitors }, async (_, visitor) => {
          for (let i = 0; !killed; i++) {
            const visit = `n=${round}-${visitor}-${i}`
            sent.add(`https://target.example/?${visit}`)
            const location = await fetch(`${origin}/${links[i % linkCount]!.slug}?${visit}`, {
              redirect: 'manual',
              headers: { 'user-agent': firefox },
            }).then(
              ({ headers }) => headers.get('location'),
              () => null,
            )
            if (location !== null) {
              received.add(location)
              inRound++
            }
            // The later rounds kill the service in the middle of a batch, the first ones before the first batch.
            if (inRound >= 20 + round * 25) killed = service.kill()
          }
        }),
      )
      await service.startAgain()
    }

    await waitFor(
      'every received redirect to be recorded',
      async () => {
        await readFeed()
        const all = new Set(recorded)
        return [...received].every((location) => all.has(location))
      },
      60_000,
    )
    while ((await readFeed()) > 0);
    expect(received.size).toBeGreaterThan(rounds * 20)
    expect(recorded).toHaveLength(new Set(recorded).size)
    // Only clicks whose response was cut off by the kill may be recorded in addition.
    expect(recorded.filter((location) => !sent.has(location))).toEqual([])
    expect(recorded.length - received.size).toBeLessThanOrEqual(rounds * visitors)

    let counted = 0
    for (const { id } of links) {
      const { clicks } = (await request('GET', `/v1/links/${id}`)).body
      const ofLink: string[] = []
      for (let next = ''; ;) {
        const { body } = await request('GET', `/v1/links/${id}/clicks?limit=100${next}`)
        ofLink.push(...body.data.map((click: { id: string }) => click.id))
        if (!body.has_more) break
        next = `&cursor=${body.next_cursor}`
      }
      expect(clicks.total).toBe(new Set(ofLink).size)
      counted += clicks.total as number
    }
    expect(counted).toBe(recorded.length)
  },
  rounds * 60_000,
)

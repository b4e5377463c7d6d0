import type { FeedPlace } from '../../platform/database/feed-place.js'
import { WorkspaceTail } from './workspace-tail.js'

const follower = () => ({ receive: () => undefined })
const readNothing = (after: FeedPlace) => Promise.resolve({ rows: [], end: after, hasMore: false })

it('reads the end of the feed once for followers that are added at the same time', async () => {
  let ends = 0
  const end = (): Promise<FeedPlace> => Promise.resolve({ tx: String(++ends), id: '' })
  const tail = new WorkspaceTail({ end, read: readNothing }, () => undefined)
  const followers = [follower(), follower(), follower()]
  await Promise.all(followers.map((each) => tail.addFollower(each)))
  expect(ends).toBe(1)
  for (const each of followers) tail.removeFollower(each)
})

it('rejects all followers and becomes idle if the end of the feed cannot be read', async () => {
  let idle = 0
  const end = () => Promise.reject(new Error('unavailable'))
  const tail = new WorkspaceTail({ end, read: readNothing }, () => idle++)
  const added = [follower(), follower()].map((each) => tail.addFollower(each))
  for (const each of added) await expect(each).rejects.toThrow('unavailable')
  expect(idle).toBe(1)
})

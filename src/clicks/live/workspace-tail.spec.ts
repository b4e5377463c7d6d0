import type { FeedPlace } from '../../platform/database/feed-place.js'
import { WorkspaceTail } from './workspace-tail.js'

const follower = () => ({ take: () => undefined })
const nothing = () => Promise.resolve([])

it('begins once, however many come at the same time: a later beginning would pass over clicks', async () => {
  let ends = 0
  const end = (): Promise<FeedPlace> => Promise.resolve({ tx: String(++ends), id: '' })
  const tail = new WorkspaceTail({ end, read: nothing }, () => undefined)
  const followers = [follower(), follower(), follower()]
  await Promise.all(followers.map((each) => tail.add(each)))
  expect(ends).toBe(1)
  for (const each of followers) tail.remove(each)
})

it('that cannot begin refuses all who came, and is idle', async () => {
  let idle = 0
  const end = () => Promise.reject(new Error('away'))
  const tail = new WorkspaceTail({ end, read: nothing }, () => idle++)
  const added = [follower(), follower()].map((each) => tail.add(each))
  for (const each of added) await expect(each).rejects.toThrow('away')
  expect(idle).toBe(1)
})

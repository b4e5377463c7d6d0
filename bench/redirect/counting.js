/** Whether every redirect that was answered is counted, and how soon. */
import { call } from '../lib/client.js'
import { line } from '../lib/report.js'
import { pause } from '../lib/run.js'

const countedWithinMs = 10_000
const patienceMs = 60_000

/**
 * Until the links' counters hold every redirect that was answered. They are summed up once nothing waits in the journal:
 * who goes through all links again and again, while each of them changes, measures itself. When the load stops at full speed, up to one request
 * for each connection is under way: it may be counted without being among the answers, and is expected from then on. What
 * is missing stays expected.
 */
export async function untilCounted(service, clicks) {
  const began = performance.now()
  let allAfterMs = null
  let counted = -1
  for (; performance.now() - began < patienceMs; await pause(100)) {
    if ((await waiting(service)) > 0) continue
    const before = counted
    counted = await sumOfClicks(service)
    if (counted >= clicks.expected) allAfterMs ??= performance.now() - began
    // What was under way comes with the rest or right after it.
    if (allAfterMs !== null && counted === before) break
  }
  const surplus = counted - clicks.expected
  clicks.expected = Math.max(clicks.expected, counted)
  return { ms: allAfterMs ?? Infinity, missing: Math.max(0, -surplus), surplus: Math.max(0, surplus) }
}

/** `underWay` is how many requests may have been under way when the load stopped. */
export function printCounting(counting, underWay) {
  const worst = (name) => Math.max(...counting.map((each) => each[name]))
  line('everything counted after', {
    figure: worst('ms') === Infinity ? 'not in 60 s' : `${(worst('ms') / 1000).toFixed(1)} s`,
    judged: worst('ms'),
    goal: { atMost: countedWithinMs },
    goalText: '≤ 10 s',
  })
  line('clicks that are missing after a minute', {
    figure: String(worst('missing')),
    judged: worst('missing'),
    goal: { atMost: 0 },
  })
  line('clicks beyond the answers, for requests under way at the end', {
    figure: String(worst('surplus')),
    judged: worst('surplus'),
    goal: { atMost: underWay },
  })
}

async function waiting(service) {
  const { text } = await call(service, 'GET', '/metrics')
  return Number(/^\w*journal_pending_clicks (\d+)$/m.exec(text)[1])
}

async function sumOfClicks(service) {
  let sum = 0
  for (let cursor = ''; cursor !== null;) {
    const path = `${service.api}/v1/links?limit=100&sort=-clicks${cursor && `&cursor=${cursor}`}`
    const { body } = await call(service, 'GET', path)
    for (const { clicks } of body.data) sum += clicks.total
    cursor = body.next_cursor
  }
  return sum
}

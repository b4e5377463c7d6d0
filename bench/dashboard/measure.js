/** Measures the first page, the next page of each list, each chart, and the memory of the live view. */
import { call } from '../lib/client.js'
import { constantRate } from '../lib/constant-rate.js'
import { heading, line, median, milliseconds, quantile } from '../lib/report.js'
import { pause } from '../lib/run.js'
import { coldLoad, memoryOfPage, timeOfClick } from './browser.js'

const goals = { firstPage: 1_000, nextPage: 200, chart: 500 }
/** The number of memory samples during the live view. */
const sampleCount = 12
const intervals = ['today', '24 hours', '7 days', '30 days', '90 days', '12 months']
const nextButton = '.pager button:last-child'
const firstRow = 'main tbody tr'

function printTimes(name, times, goal) {
  const p95 = quantile(times, 0.95)
  line(name, {
    figure: milliseconds(p95),
    baseline: `(${milliseconds(quantile(times, 0.5))})`,
    ...(goal === undefined ? {} : { judged: p95, goal: { atMost: goal }, goalText: `≤ ${goal} ms` }),
  })
}

export async function measureFirstPage(browser, samples) {
  heading('Cold load of the overview, p95 (p50 in brackets)')
  const loads = []
  // The first load warms up the service and the browser.
  for (let i = 0; i <= samples; i++) loads.push(await coldLoad(browser, '/'))
  loads.shift()
  printTimes(
    'page with its title',
    loads.map(({ frame }) => frame),
    goals.firstPage,
  )
  printTimes(
    'last number',
    loads.map(({ numbers }) => numbers),
    goals.firstPage,
  )
  const shift = quantile(
    loads.map((load) => load.shift),
    0.95,
  )
  line('layout shift', {
    figure: shift.toFixed(3),
    judged: shift,
    goal: { atMost: 0.05 },
  })
  const names = new Set(loads.flatMap(({ requests }) => requests.map(({ name }) => name)))
  for (const name of names) {
    const found = loads.flatMap(({ requests }) => requests.filter((request) => request.name === name))
    const from = quantile(
      found.map((each) => each.from),
      0.5,
    )
    const took = quantile(
      found.map((each) => each.until - each.from),
      0.5,
    )
    line(`  ${name.slice(0, 54)}`, { figure: `+${milliseconds(took)}`, baseline: `at ${milliseconds(from)}` })
  }
}

/** Requests each next page as soon as the current one is shown, before it can be prefetched. */
export async function measureLists(browser, world, samples) {
  heading('Next page, requested immediately, p95 (p50)')
  const lists = [
    ['links', '/links'],
    ['links, most clicked first', '/links?sort=-clicks'],
    ['links, a search', '/links?q=shop.example'],
    ['links, a tag', '/links?tag=all'],
    ['deliveries', `/webhooks/${world.webhook}`],
    ['deliveries that failed', `/webhooks/${world.webhook}?status=failed`],
    ['events', '/events'],
    ['events of a type', '/events?type=link.updated'],
    ['audit log', '/settings/audit-log'],
  ]
  for (const [name, path] of lists) {
    const { page, close } = await browser.openWindow()
    await page.goto(browser.at(path))
    await page.locator(firstRow).waitFor()
    const next = page.locator(nextButton)
    const times = []
    // A short list has fewer pages, and a list of one page has no button.
    while (times.length < samples && (await next.isVisible()) && (await next.isEnabled()))
      times.push(await timeOfClick(page, nextButton, firstRow))
    if (times.length > 0) printTimes(name, times, goals.nextPage)
    await close()
  }
}

export async function measureCharts(browser, service, samples) {
  const top = await call(service, 'GET', `${service.api}/v1/links?sort=-clicks&limit=1`)
  const hottest = await call(service, 'GET', `${service.api}/v1/analytics?interval=30d&group_by=link&limit=1`)
  const id = hottest.body.data[0]?.key ?? top.body.data[0].id
  heading('Chart of another period, p95 (p50)')
  for (const [name, path] of [
    ['overview', '/'],
    ['hottest link', `/links/${id}`],
  ]) {
    const { page, close } = await browser.openWindow()
    await page.goto(browser.at(path))
    await page.locator('.chart tbody tr').first().waitFor({ state: 'attached' })
    const times = Object.fromEntries(intervals.map((interval) => [interval, []]))
    for (let i = 0; i < samples; i++) {
      // Load the page again in each round, because loaded periods are cached.
      await page.goto(browser.at(path))
      await page.locator('.chart tbody tr').first().waitFor({ state: 'attached' })
      for (const interval of ['24 hours', '7 days', '90 days', '12 months'])
        times[interval].push(
          await timeOfClick(
            page,
            `[aria-label="Period"] button:nth-child(${1 + intervals.indexOf(interval)})`,
            '.chart tbody',
          ),
        )
    }
    for (const interval of intervals)
      if (times[interval].length > 0) printTimes(`${name}, ${interval}`, times[interval], goals.chart)
    await close()
  }
  return id
}

/** Samples memory after the list is full, from which point it must not grow. */
export async function measureLive(browser, service, id, { seconds, perSecond }) {
  heading(`Live clicks of a link, ${perSecond} per second for ${seconds} seconds`)
  const { body: link } = await call(service, 'GET', `${service.api}/v1/links/${id}`)
  const { page, close } = await browser.openWindow()
  await page.goto(browser.at(`/links/${id}?tab=live`))
  await page.getByText('Listening').waitFor()
  const load = constantRate({
    port: service.port,
    perSecond,
    seconds,
    requests: [{ method: 'GET', path: `/${link.slug}` }],
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  })
  const samples = []
  for (let i = 0; i < sampleCount; i++) {
    await pause((seconds * 1000) / sampleCount - 500)
    samples.push(await memoryOfPage(page))
  }
  const { statuses } = await load
  const sent = statuses[302] ?? 0
  await page
    .getByText(`, ${sent.toLocaleString('en')} since you opened this page`)
    .waitFor({ timeout: 60_000 })
  line('clicks shown', { figure: String(sent), baseline: String(perSecond * seconds) })
  const half = sampleCount / 2
  for (const [name, of] of [
    ['memory of the page in MB', ({ megabytes }) => megabytes],
    ['nodes of the page', ({ nodes }) => nodes],
  ]) {
    const [begin, end] = [samples.slice(0, half), samples.slice(half)].map((some) => median(some.map(of)))
    line(`${name}, second and first half`, {
      figure: end.toFixed(1),
      baseline: begin.toFixed(1),
      ratio: end / begin,
      goal: { atMost: 1.2 },
    })
  }
  await close()
}

/** A signed-in Chromium with empty profiles, and measurements inside its pages. */
import { chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Measures times inside the page, from the start of the load, without the overhead of remote control. */
const measureLoad = `globalThis.seen = new Promise((resolve) => {
  const at = {}
  const look = () => {
    if (document.querySelector('.shell h1')) at.frame ??= performance.now()
    if (!document.querySelector('.figure-value') || document.querySelector('.bone, .is-hidden')) return
    at.numbers ??= performance.now()
    resolve(at)
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
})
globalThis.shifts = 0
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) globalThis.shifts += value
}).observe({ type: 'layout-shift', buffered: true })`

export async function openBrowser(undo, service) {
  const browser = await chromium.launch({ executablePath, args: quiet })
  undo(() => browser.close())
  const origin = `http://localhost:${service.port}`
  const first = await browser.newContext()
  const page = await first.newPage()
  await page.goto(`${origin}/dashboard/`)
  const status = await page.evaluate(
    (token) =>
      fetch('/dashboard/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      }).then((response) => response.status),
    service.token,
  )
  if (status !== 204) throw new Error(`sign-in failed: ${status}`)
  const storageState = await first.storageState()
  await first.close()
  return {
    at: (path) => `${origin}/dashboard${path}`,
    /** Opens a window with an empty cache. */
    async openWindow() {
      const context = await browser.newContext({ storageState, viewport: { width: 1400, height: 900 } })
      await context.addInitScript(measureLoad)
      return { page: await context.newPage(), close: () => context.close() }
    },
  }
}

/** Loads a page with an empty cache. Returns the times until the title and until the last number. */
export async function coldLoad(browser, path) {
  const { page, close } = await browser.openWindow()
  await page.goto(browser.at(path), { waitUntil: 'commit' })
  const seen = await page.evaluate(`globalThis.seen.then((at) => ({
    ...at,
    shift: globalThis.shifts,
    requests: performance.getEntriesByType('resource').map(({ name, startTime, responseEnd }) => ({
      name: name.replace(/^.*\\/dashboard/, ''), from: startTime, until: responseEnd })),
  }))`)
  await close()
  return seen
}

/** Returns the time from a click on `button` until the element `shown` is replaced or its text changes. */
export function timeOfClick(page, button, shown) {
  return page.evaluate(
    async ([clicked, watched]) => {
      const find = () => globalThis.document.querySelector(watched)
      const before = find()
      const text = before.textContent
      const began = performance.now()
      globalThis.document.querySelector(clicked).click()
      const hasChanged = () => find() !== null && (find() !== before || find().textContent !== text)
      while (!hasChanged() && performance.now() - began < 30_000)
        await new Promise((resolve) => globalThis.requestAnimationFrame(resolve))
      if (!hasChanged()) throw new Error(`${watched} did not change`)
      return performance.now() - began
    },
    [button, shown],
  )
}

/** Returns the memory and DOM nodes of the page after garbage collection. */
export async function memoryOfPage(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const metricOf = (name) => metrics.find((metric) => metric.name === name)?.value ?? NaN
  return { megabytes: metricOf('JSHeapUsedSize') / 2 ** 20, nodes: metricOf('Nodes') }
}

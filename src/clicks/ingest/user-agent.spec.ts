import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { visitLimits } from '../journal/click-line.js'
import { describeAgent } from './user-agent.js'

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36'

it.each([
  ['Mozilla/5.0 (X11; U; Linux i686', { browser: null, os: 'Linux' }],
  ['MyApp/1 CFNetwork', { browser: null, os: null }],
  ['MyBrowser/7.1 (Amiga; rv:1)', { browser: null, os: null }],
  ['<script>/1.0', { browser: null, os: null }],
])('ignores unknown names in %s', (userAgent, expected) => {
  expect(describeAgent(userAgent)).toMatchObject(expected)
})

it.each([
  ['Facebook', `${iphone} [FBAN/FBIOS;FBAV/480.0.0.36.104]`],
  ['Facebook', `${android} [FB_IAB/FB4A;FBAV/480.0.0.36.104;]`],
  ['Instagram', `${iphone} Instagram 350.1.0.0 (iPhone15,2; iOS 18_0)`],
  ['TikTok', `${iphone} musical_ly_36.1.0 JsSdk/2.0`],
  ['LinkedIn', `${iphone} [LinkedInApp]/9.30.1`],
  ['Snapchat', `${iphone} Snapchat/13.10.0.43 (like Safari/8618)`],
  ['LINE', `${android} Line/14.19.1/IAB`],
  ['X', `${iphone} Twitter for iPhone/10.65`],
  ['WeChat', `${android} MicroMessenger/8.0.50`],
  ['Pinterest', `${iphone} [Pinterest/iOS]`],
])('recognizes the in-app browser of %s', (browser, userAgent) => {
  expect(describeAgent(userAgent)).toMatchObject({ browser, device: 'mobile', bot: false })
})

it.each([
  [chrome.replace('X11; Linux', 'X11; CrOS'), { browser: 'Chrome', os: 'Chrome OS', device: 'desktop' }],
  [`${chrome} Edg/140.0.0.0`, { browser: 'Microsoft Edge' }],
  [`${chrome} Edge/18.17763`, { browser: 'Microsoft Edge' }],
  [android, { browser: 'Chrome', os: 'Android', device: 'mobile' }],
  [android.replace('Mobile ', ''), { browser: 'Chrome', os: 'Android', device: 'tablet' }],
  [iphone.replace('iPhone;', 'iPad;'), { browser: 'Safari', os: 'iOS', device: 'tablet' }],
  ['Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15', { device: 'other' }],
  ['Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/108.0', { os: 'WebOS', device: 'other' }],
  ['Mozilla/5.0 (Amiga) IBrowse/2.5', { browser: null, os: null, device: null }],
])('describes %s', (userAgent, expected) => {
  expect(describeAgent(userAgent)).toMatchObject(expected)
})

it.each([
  '',
  'Dart/3.1 (dart:io)',
  'MyApp/1 CFNetwork/1408.0.4 Darwin/22.5.0',
  'okhttp/4.9.3',
  'python-requests/2.31.0',
  'curl/8.5.0',
  'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7)',
  'Go-http-client/2.0',
  `${android.replace('wv) ', ') ')} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
])('counts %j as a bot', (userAgent) => {
  expect(describeAgent(userAgent)).toMatchObject({ bot: true, device: 'bot' })
})

/** Families of uap-core that have a different name here, or share one. */
const otherNames: Record<string, string> = {
  'Chrome Mobile': 'Chrome',
  'Chrome Mobile WebView': 'Chrome',
  'Chrome Mobile iOS': 'Chrome',
  'Mobile Safari': 'Safari',
  'Mobile Safari UI/WKWebView': 'Safari',
  'Firefox Mobile': 'Firefox',
  'Firefox iOS': 'Firefox',
  'Firefox Beta': 'Firefox',
  Edge: 'Microsoft Edge',
  'Edge Mobile': 'Microsoft Edge',
  IE: 'Internet Explorer',
  'IE Mobile': 'Internet Explorer',
  'Opera Mobile': 'Opera',
  'Opera GX': 'Opera',
  'Samsung Internet': 'Samsung Internet for Android',
  Android: 'Android Browser',
  'DuckDuckGo Mobile': 'DuckDuckGo',
  'QQ Browser Mobile': 'QQ Browser',
  MiuiBrowser: 'Miui',
  VivoBrowser: 'Vivo Browser',
  Whale: 'NAVER Whale Browser',
  'Facebook Messenger': 'Messenger',
  'WeChat Browser': 'WeChat',
  Twitter: 'X',
  Google: 'Google Search',
  'Ecosia iOS': 'Ecosia',
  'Ecosia Android': 'Ecosia',
  'Slack Desktop Client': 'Slack',
}
const otherSystems: Record<string, string> = { Ubuntu: 'Linux', 'Mac OS X': 'macOS' }

interface Fixtures {
  browsers: Record<string, string[]>
  systems: Record<string, string[]>
}

/** Returns the percentage of user agents, without bots, that get the name of their family, and prints the others. */
function agreement(
  families: Record<string, string[]>,
  getName: (family: string) => string,
  field: 'browser' | 'os',
): number {
  const all = Object.entries(families).flatMap(([family, agents]) =>
    agents.map((agent) => ({ family, agent })),
  )
  const humans = all.filter(({ agent }) => !describeAgent(agent).bot)
  const wrong = humans.filter(({ family, agent }) => describeAgent(agent)[field] !== getName(family))
  const percent = 100 - (100 * wrong.length) / humans.length
  const lines = wrong.map(
    ({ family, agent }) => `  ${family}: ${describeAgent(agent)[field]}: ${agent.slice(0, 150)}`,
  )
  console.log(
    [`${field}: ${percent.toFixed(1)} % of ${humans.length} user agents agree`, ...lines].join('\n'),
  )
  expect(humans.length).toBeGreaterThan(200)
  return percent
}

it('agrees with uap-core on at least 90 % of mainstream browsers and systems', () => {
  const file = new URL('../../../test/support/user-agents/uap-core.json', import.meta.url)
  const { browsers, systems } = JSON.parse(readFileSync(file, 'utf8')) as Fixtures
  expect(Object.keys(browsers).length).toBeGreaterThan(50)
  expect(agreement(browsers, (family) => otherNames[family] ?? family, 'browser')).toBeGreaterThanOrEqual(90)
  expect(agreement(systems, (family) => otherSystems[family] ?? family, 'os')).toBeGreaterThanOrEqual(90)
})

it('counts at least 99.5 % of crawler-user-agents as bots', () => {
  const crawlers = createRequire(import.meta.url)('crawler-user-agents') as { instances: string[] }[]
  const agents = [...new Set(crawlers.flatMap(({ instances }) => instances))]
  const missed = agents.filter((agent) => !describeAgent(agent).bot)
  const percent = 100 - (100 * missed.length) / agents.length
  console.log(
    [`${percent.toFixed(2)} % of ${agents.length} bots are recognized. Missed:`, ...missed].join('\n  '),
  )
  expect(agents.length).toBeGreaterThan(2_000)
  expect(percent).toBeGreaterThanOrEqual(99.5)
})

const longest = visitLimits.userAgent
/** At this cost, 3,000 user agents per second take less than half of the ingest thread's time. */
const maxMicroseconds = 150

const hostile = [
  ' ',
  '(',
  'a',
  '1',
  '/',
  '_',
  'a-',
  'a/1 ',
  '1.',
  '; ',
  'Mozilla/5.0 ',
  'Mozilla/5.0 (X11; ',
  'Linux; Android 4; ',
  'Chrome/ ',
  'Android ',
  'Windows NT ',
  'Googlebo ',
  'CFNetwor/1 Darwin ',
  'Version/4.0 Mobile Safar ',
  'mozilla/5.0 a.a-',
  'http:/ ',
  'news scan radar.co ',
]

it('describes hostile user agents of maximum length within 150 µs', () => {
  const rounds = 100
  const costs = hostile.map((token) => {
    const agents = Array.from(
      { length: rounds },
      (_, i) => token.repeat(longest).slice(0, longest - 6) + String(i),
    )
    agents.forEach(describeAgent)
    // Uses the fastest of several rounds, because other processes slow down the others.
    let microseconds = Infinity
    for (let round = 0; round < 5 || (round < 50 && microseconds >= maxMicroseconds); round++) {
      const before = process.cpuUsage()
      agents.forEach(describeAgent)
      const { user, system } = process.cpuUsage(before)
      microseconds = Math.min(microseconds, (user + system) / rounds)
    }
    return { token, microseconds }
  })
  costs.sort((a, b) => b.microseconds - a.microseconds)
  console.log(
    `slowest: ${costs
      .slice(0, 3)
      .map(({ token, microseconds }) => `${JSON.stringify(token)} ${microseconds.toFixed(0)} µs`)
      .join(', ')}`,
  )
  expect(costs[0]!.microseconds).toBeLessThan(maxMicroseconds)
})

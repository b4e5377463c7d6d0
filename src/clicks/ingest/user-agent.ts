/** What a user agent says of itself. Nothing of it can be trusted; it is sorted into a few known names. */
import Bowser from 'bowser'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

export interface Agent {
  bot: boolean
  browser: string | null
  os: string | null
  device: string | null
}

const longestName = 50
const known = new LRUCache<string, Agent>({ max: 10_000 })

/** The same few thousand texts come again and again, and taking one apart is slow. */
export function describeAgent(userAgent: string): Agent {
  let agent = known.get(userAgent)
  if (!agent) known.set(userAgent, (agent = parse(userAgent)))
  return agent
}

function parse(userAgent: string): Agent {
  // Every browser sends a user agent, so a request without one comes from a program.
  if (userAgent === '') return { bot: true, browser: null, os: null, device: null }
  const { browser, os, platform } = Bowser.parse(userAgent)
  return {
    bot: isbot(userAgent),
    browser: short(browser.name),
    os: short(os.name),
    device: short(platform.type),
  }
}

function short(name: string | undefined): string | null {
  return name ? name.slice(0, longestName) : null
}

/** A browser for tests, where there is one: it is not needed to run the service. */
import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
if (!executablePath && process.env['REQUIRE_CHROMIUM'] === 'true')
  throw new Error('REQUIRE_CHROMIUM is set, and there is no /usr/bin/chromium.')
if (!executablePath)
  process.stderr.write(
    'Skipped: what needs a browser. There is no /usr/bin/chromium; install it to run this.\n',
  )

/** `describe` where there is a Chromium; else its tests are counted as skipped. */
export const describeWithChromium = executablePath ? describe : describe.skip

/** With an empty profile, and silent towards the outside. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

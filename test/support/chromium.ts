/** A browser for tests, if Chromium is installed. */
import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
if (!executablePath && process.env['REQUIRE_CHROMIUM'] === 'true')
  throw new Error('REQUIRE_CHROMIUM is set, but /usr/bin/chromium does not exist.')
if (!executablePath)
  process.stderr.write(
    'Skipped: what needs a browser. There is no /usr/bin/chromium; install it to run this.\n',
  )

/** `describe`, or `describe.skip` without Chromium. */
export const describeWithChromium = executablePath ? describe : describe.skip

/** Starts a browser with an empty profile and without background requests. */
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

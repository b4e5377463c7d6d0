/** A real browser, where one is installed. */
import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Null where there is none, with the reason on standard error. */
export function findBrowser(): string | null {
  const found = [process.env['CHROMIUM'] ?? '', ...places].find((path) => path !== '' && existsSync(path))
  if (found === undefined)
    process.stderr.write('Skipped: there is no Chromium. Install it, or set CHROMIUM to its path.\n')
  return found ?? null
}

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: quiet })
}

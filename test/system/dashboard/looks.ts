/** Checks a screen in both widths and color schemes. */
import type { Page } from 'playwright-core'

import { findingsInBothSchemes, measureOverflow, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

/** Opens a page in each look, and returns accessibility violations and parts that are too wide. */
export async function findingsInEveryLook(
  pages: Pages,
  path: string,
  name: string,
  prepare: (page: Page) => Promise<void>,
): Promise<string[]> {
  const findings: string[] = []
  for (const width of [1400, 390]) {
    const { page, context, messages } = await signedIn(pages, pages.token, path, { width })
    await prepare(page)
    await settled(page)
    const title = `${name}-${width}`
    const found = [...(await findingsInBothSchemes(page, title)), ...messages]
    if ((await measureOverflow(page)) > 0) found.push('the page is wider than the window')
    if ((await measureDialogOverflow(page)) > 0) found.push('the dialog scrolls sideways')
    findings.push(...found.map((finding) => `${title}: ${finding}`))
    await context.close()
  }
  return findings
}

function measureDialogOverflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    'Math.max(0, ...[...document.querySelectorAll("dialog")].map((each) => each.scrollWidth - each.clientWidth))',
  )
}

/** The measure of all figures of a page, which is part of the URL. */
import type { Measure } from '../api/click-measures.js'
import { getQueryParameter, setQuery } from '../app/router.js'

export function measureFromUrl(): Measure {
  return getQueryParameter('bots') === '1' ? 'clicks' : 'human'
}

export function includeBots(isIncluded: boolean): void {
  setQuery({ bots: isIncluded ? '1' : null }, { replace: true })
}

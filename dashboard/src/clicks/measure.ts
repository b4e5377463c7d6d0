/** The measure of all figures of a page, which is part of the URL. */
import type { Measure } from '../api/click-measures.js'
import { queryOf, setQuery } from '../app/router.js'

export function measureFromUrl(): Measure {
  return queryOf('bots') === '1' ? 'clicks' : 'human'
}

export function includeBots(isIncluded: boolean): void {
  setQuery({ bots: isIncluded ? '1' : null }, { replace: true })
}

/** The campaign that brought a visitor, as the five parameters of an address name it. */
import { memoize } from './memoize.js'

export interface Campaign {
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
}

const longestValue = 100
const none: Campaign = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}

/** What the visited address says comes first, one parameter at a time; the link's target has the rest. */
export function campaignOf(query: string, target: string): Campaign {
  const visited = ofQuery(query)
  const own = ofTarget(target)
  if (visited === none) return own
  return {
    utmSource: visited.utmSource ?? own.utmSource,
    utmMedium: visited.utmMedium ?? own.utmMedium,
    utmCampaign: visited.utmCampaign ?? own.utmCampaign,
    utmTerm: visited.utmTerm ?? own.utmTerm,
    utmContent: visited.utmContent ?? own.utmContent,
  }
}

const ofQuery = memoize(read)
const ofTarget = memoize((target) => {
  const [address = ''] = target.split('#', 1)
  const queryAt = address.indexOf('?')
  return queryAt < 0 ? none : read(address.slice(queryAt + 1))
})

function read(query: string): Campaign {
  if (!query.includes('utm_')) return none
  const parameters = new URLSearchParams(query)
  const value = (name: string) => kept(parameters.get(name) ?? '')
  return {
    utmSource: value('utm_source'),
    utmMedium: value('utm_medium'),
    utmCampaign: value('utm_campaign'),
    utmTerm: value('utm_term'),
    utmContent: value('utm_content'),
  }
}

/** PostgreSQL cannot store NUL, and nobody should have to fear control characters. */
function kept(text: string): string | null {
  const shown = text.replace(/\p{Cc}/gu, '').trim()
  return (
    Array.from(shown.slice(0, 2 * longestValue))
      .slice(0, longestValue)
      .join('') || null
  )
}

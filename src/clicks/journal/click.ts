import type { Visit } from '../../links/redirect/visit.js'

/** A visit read back from the journal. */
export interface Click extends Visit {
  id: string
  /** Unix time in milliseconds, taken from the id so that both always agree. */
  time: number
}

/** What is kept of each field, in characters. Longer texts are cut, never refused. */
export const visitLimits = {
  slug: 64,
  url: 16_384,
  userAgent: 512,
  referer: 2_048,
  acceptLanguage: 128,
  address: 64,
  country: 16,
  query: 4_096,
} as const

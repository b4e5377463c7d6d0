/** A visit as the redirect saw it: raw, so that nothing is worked out while the visitor waits. */
export interface Visit {
  linkId: string
  workspaceId: string
  slug: string
  /** The Location that was sent. */
  url: string
  /** The empty string wherever the visitor said nothing. Header values are as node:http gives them: one char, one byte. */
  userAgent: string
  referer: string
  acceptLanguage: string
  address: string
  country: string
}

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
} as const

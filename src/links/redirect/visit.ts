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
  /** What stands behind the question mark of the visited address. */
  query: string
}

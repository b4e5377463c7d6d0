/** Shortens texts that are too wide for a column. */

/** Characters at the end of a URL's path that are always shown. */
const minPathEnd = 12
const minTextWidth = 12

/** Returns the minimum width for shortened text. */
export function getMinTextWidth(text: string): number {
  return Math.min(text.length, minTextWidth)
}

export function shortenText(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1).toWellFormed()}…` : text
}

/** Returns the minimum width for a shortened URL: its host, and the end of its path. */
export function getMinUrlWidth(text: string): number {
  return Math.min(text.length, shortenUrl(text, 0).length)
}

/** Shortens the query and the middle of the path. Never shortens the host or the end of the path. */
export function shortenUrl(text: string, width: number): string {
  if (text.length <= width || !URL.canParse(text)) return text
  const [, origin = text, path = '', query = ''] = /^([^/]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? []
  const end = query.length > 2 ? '?…' : query
  const available = width - origin.length - end.length
  if (path.length <= Math.max(available, minPathEnd + '/…'.length)) return origin + path + end
  const kept = Math.max(minPathEnd, available - '/…'.length)
  return `${origin}/…${path.slice(-kept).toWellFormed()}${end}`
}

const authority = /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*/i

/**
 * Parses a URL by one rule on every version of Node. Since Unicode 15.1, the host `ẞ` is the same as `ß`. Earlier versions
 * of Node read it as `ss`, so the same link or webhook would point to another host after an upgrade.
 */
export function parseUrl(text: string): URL | null {
  return URL.parse(text.replace(authority, (start) => start.replaceAll('ẞ', 'ß')))
}

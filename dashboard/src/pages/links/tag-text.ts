/** Tags in typed or pasted text, separated by commas. A tag that contains a comma is in double quotes, as in CSV. */

const oneTag = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/g

export function parseTags(text: string): string[] {
  const tags = [...text.matchAll(oneTag)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim(),
  )
  return [...new Set(tags)].filter((tag) => tag !== '')
}

const completeTag = /^(?:\s*"(?:[^"]|"")*"\s*|(?!\s*")[^,]*),/

/** Separates the tags that end with a comma from the text after them, which is still being typed. */
export function splitTyped(text: string): { complete: string[]; rest: string } {
  const complete: string[] = []
  let rest = text
  for (;;) {
    const [match] = completeTag.exec(rest) ?? []
    if (match === undefined) return { complete, rest }
    complete.push(...parseTags(match))
    rest = rest.slice(match.length)
  }
}

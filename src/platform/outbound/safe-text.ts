/** Receivers choose this text, and people and databases read it: nothing in it may act on a terminal or a page. */

/** The text without control characters. */
export function plainLine(text: string, longest: number): string {
  return cut(text.replace(/\p{Cc}/gu, ''), longest)
}

/** The text without control characters other than line feed and tab. */
export function plainText(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '')
}

function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest).toWellFormed() : text
}

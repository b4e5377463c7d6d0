/** Receivers choose this text, and people and databases read it: nothing in it may act on a terminal or a page. */

/** The text without control characters, and without signs that turn the direction of writing. */
export function plainLine(text: string, longest: number): string {
  return cut(text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ''), longest)
}

/** The same, but for line feed and tab, which stay. */
export function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '')
}

function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest).toWellFormed() : text
}

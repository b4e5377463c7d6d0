/** Text that strangers chose, made safe to show to people and to store. */

/** One line, cut, without control characters and characters that change the writing direction. */
export function plainLine(text: string, longest: number): string {
  return cut(text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ''), longest)
}

/** Like `plainLine`, but line breaks and tabs stay, and nothing is cut. */
export function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '')
}

/** Cuts the text without leaving half a character at its end. */
function cut(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest).toWellFormed() : text
}

/** Makes text from untrusted users safe to store and to display. */

/** Removes control characters, line breaks and characters that change the writing direction, and cuts the text. */
export function plainLine(text: string, longest: number): string {
  return truncate(text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ''), longest)
}

/** Like `plainLine`, but keeps line breaks and tabs, and does not cut the text. */
export function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '')
}

/** Cuts the text. Replaces a surrogate pair that is cut in half with U+FFFD. */
function truncate(text: string, longest: number): string {
  return text.length > longest ? text.slice(0, longest).toWellFormed() : text
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Escapes text as HTML, and turns code in backticks into `<code>` elements. */
export function htmlWithCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

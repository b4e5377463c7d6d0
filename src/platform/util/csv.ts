/**
 * Writes CSV without formulas that a spreadsheet would run: a cell that starts like a formula is prefixed with an
 * apostrophe. So is a formula that already has apostrophes, so that `unprotected` always restores the text.
 */

/** Matches text that starts like a formula, after any number of apostrophes. */
const harmful = /^'*[=+\-@\t\r]/

const needsQuotes = /[",;\r\n\t]|^\s|\s$/

export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = harmful.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Joins words with commas, or writes a JSON list if the import would split the words differently. */
export function csvList(words: readonly string[]): string {
  const isPlain =
    words.every((word) => !word.includes(',') && word.trim() === word) && !words[0]?.startsWith('[')
  return isPlain ? words.join(',') : JSON.stringify(words)
}

/** Removes the apostrophe that protects a cell. */
export function unprotected(text: string): string {
  return text.startsWith("'") && harmful.test(text) ? text.slice(1) : text
}

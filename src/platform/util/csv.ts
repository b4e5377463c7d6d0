/**
 * Writes CSV in which spreadsheets find no formula to run: a cell that begins like a formula gets an apostrophe in
 * front. So does one that begins with apostrophes before a formula, so that `unprotected` always restores the text.
 */

/** Matches text that begins like a formula, after any number of apostrophes. */
const harmful = /^'*[=+\-@\t\r]/

const needsQuotes = /[",;\r\n\t]|^\s|\s$/

export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = harmful.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Words separated by commas, or a JSON list when the import would read the words differently. */
export function csvList(words: readonly string[]): string {
  const isPlain =
    words.every((word) => !word.includes(',') && word.trim() === word) && !words[0]?.startsWith('[')
  return isPlain ? words.join(',') : JSON.stringify(words)
}

/** Removes the apostrophe that keeps spreadsheets from running a cell. */
export function unprotected(text: string): string {
  return text.startsWith("'") && harmful.test(text) ? text.slice(1) : text
}

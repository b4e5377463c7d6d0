/**
 * Writes CSV that no spreadsheet takes for anything but text: programs run a cell that begins like a formula. Such a cell
 * gets an apostrophe in front, and so does one that begins with apostrophes and then like a formula. So the import can
 * take one off again and has the very same text.
 */

/** After any apostrophes, it begins as formulas do. */
export const harmful = /^'*[=+\-@\t\r]/

const needsQuotes = /[",;\r\n\t]|^\s|\s$/

export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = harmful.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Words with a comma between them, or a JSON list where a word could be read as something else. */
export function csvList(words: readonly string[]): string {
  const isPlain =
    words.every((word) => !word.includes(',') && word.trim() === word) && !words[0]?.startsWith('[')
  return isPlain ? words.join(',') : JSON.stringify(words)
}

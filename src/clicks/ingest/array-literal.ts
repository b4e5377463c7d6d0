const special = /["\\]/
const everySpecial = /["\\]/g

/** One column of many rows as PostgreSQL reads an array from text; made in one go, since clicks come by the thousand. */
export function arrayLiteral<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | boolean | null,
): string {
  let literal = ''
  for (const row of rows) {
    const item = value(row)
    if (literal !== '') literal += ','
    if (item === null) literal += 'NULL'
    else if (typeof item === 'boolean') literal += item ? 't' : 'f'
    else literal += `"${special.test(item) ? item.replace(everySpecial, '\\$&') : item}"`
  }
  return `{${literal}}`
}

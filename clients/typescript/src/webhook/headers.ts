/** A `Headers` object, or a plain object as in Node.js and its frameworks. */
export type AnyHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

export function getHeader(headers: AnyHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name)
  const record = headers as Readonly<Record<string, string | readonly string[] | undefined>>
  const key = Object.keys(record).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : record[key]
  return (typeof value === 'string' ? value : value?.[0]) ?? null
}

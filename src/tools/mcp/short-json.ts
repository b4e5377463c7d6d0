/** Writes results briefly, because everything that an agent reads fills its context. */
const maxLength = 20_000

/** Returns JSON without null fields, cut off after 20,000 characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value, (_name, each: unknown) => (each === null ? undefined : each))
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength)}\n… ${text.length - maxLength} more characters. Request fewer items, or filter them.`
}

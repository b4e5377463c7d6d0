const mostRemembered = 20_000
// Longer inputs seldom come again, and strangers could fill the memory with them.
const longestRemembered = 640

/**
 * Computes each input once. When there are too many, all are forgotten together: that is cheaper than tracking which
 * one was used last, and the common ones are soon back.
 */
export function memoize<T>(compute: (input: string) => T): (input: string) => T {
  const known = new Map<string, T>()
  return (input) => {
    if (input.length > longestRemembered) return compute(input)
    let found = known.get(input)
    if (found === undefined) {
      const own = apart(input)
      found = compute(own)
      if (known.size >= mostRemembered) known.clear()
      known.set(own, found)
    }
    return found
  }
}

/** A copy of a text in its own memory. A slice of a line would keep the whole line in memory. */
export function apart(text: string): string {
  const copy = Buffer.from(text, 'latin1').toString('latin1')
  return copy === text ? copy : Buffer.from(text, 'utf16le').toString('utf16le')
}

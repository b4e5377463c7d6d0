const mostRemembered = 20_000
// Longer inputs are seldom met again, and strangers choose them.
const longestRemembered = 640

/**
 * Works each input out once. When there are many, all are forgotten together: that is cheaper than knowing which one
 * was used last, and the common ones are soon there again.
 */
export function memoize<T>(workOut: (input: string) => T): (input: string) => T {
  const known = new Map<string, T>()
  return (input) => {
    if (input.length > longestRemembered) return workOut(input)
    let found = known.get(input)
    if (found === undefined) {
      const own = apart(input)
      found = workOut(own)
      if (known.size >= mostRemembered) known.clear()
      known.set(own, found)
    }
    return found
  }
}

/** The same text in memory of its own: a part of a line would keep the whole line there for as long as it is known. */
function apart(text: string): string {
  const copy = Buffer.from(text, 'latin1').toString('latin1')
  return copy === text ? copy : Buffer.from(text, 'utf16le').toString('utf16le')
}

const maxResults = 20_000
// Longer inputs rarely repeat, and untrusted users could fill the memory with them.
const maxInputLength = 640

/**
 * Computes each input once. When there are too many results, all are cleared together: this is cheaper than tracking
 * their last use, and common inputs are soon cached again.
 */
export function memoize<T>(compute: (input: string) => T): (input: string) => T {
  const results = new Map<string, T>()
  return (input) => {
    if (input.length > maxInputLength) return compute(input)
    let result = results.get(input)
    if (result === undefined) {
      const copy = copyText(input)
      result = compute(copy)
      if (results.size >= maxResults) results.clear()
      results.set(copy, result)
    }
    return result
  }
}

/** Copies a string to its own memory. Otherwise, a slice of a line would keep the whole line in memory. */
export function copyText(text: string): string {
  const copy = Buffer.from(text, 'latin1').toString('latin1')
  return copy === text ? copy : Buffer.from(text, 'utf16le').toString('utf16le')
}

const mostRemembered = 20_000

/**
 * Works each input out once. When there are many, all are forgotten together: that is cheaper than knowing which one
 * was used last, and the common ones are soon there again.
 */
export function memoize<T>(workOut: (input: string) => T): (input: string) => T {
  const known = new Map<string, T>()
  return (input) => {
    let found = known.get(input)
    if (found === undefined) {
      found = workOut(input)
      if (known.size >= mostRemembered) known.clear()
      known.set(input, found)
    }
    return found
  }
}

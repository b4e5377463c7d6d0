/** Values of form fields that the browser remembers as suggestions, until the user signs out. */

const key = 'remembered-values'
const maxValues = 20

type RememberedValues = Partial<Record<string, string[]>>

/** Returns the values of each field, newest first. */
export function readRememberedValues(): RememberedValues {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as RememberedValues
  } catch {
    return {} // Storage is blocked, or another version wrote it.
  }
}

export function rememberValues(values: ReadonlyMap<string, string>): void {
  if (values.size === 0) return
  const remembered = readRememberedValues()
  for (const [field, value] of values) {
    const others = (remembered[field] ?? []).filter((each) => each !== value)
    remembered[field] = [value, ...others].slice(0, maxValues)
  }
  try {
    localStorage.setItem(key, JSON.stringify(remembered))
  } catch {
    // Storage is blocked or full, so there are no new suggestions.
  }
}

/** Removes the values, because the next user of the browser may have access to another workspace. */
export function forgetRememberedValues(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so nothing was remembered.
  }
}

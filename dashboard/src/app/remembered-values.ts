/** Values of form fields that the browser remembers as suggestions, until the user signs out or changes. */

const key = 'remembered-values'
/** The item with the ID of the token that the values were entered with. */
const ownerKey = 'remembered-values-token'
const maxValues = 20

let currentTokenId = ''

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
    localStorage.setItem(ownerKey, currentTokenId)
  } catch {
    // Storage is blocked or full, so there are no new suggestions.
  }
}

/** Removes the values, because the next user of the browser may have access to another workspace. */
export function forgetRememberedValues(): void {
  try {
    localStorage.removeItem(key)
    localStorage.removeItem(ownerKey)
  } catch {
    // Storage is blocked, so nothing was remembered.
  }
}

/** Removes the values of any other token, because a session can end without a sign-out. */
export function forgetValuesOfOtherTokens(tokenId: string): void {
  currentTokenId = tokenId
  try {
    if (localStorage.getItem(ownerKey) !== tokenId) forgetRememberedValues()
  } catch {
    // Storage is blocked, so nothing was remembered.
  }
}

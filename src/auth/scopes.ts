export const scopes = [
  'tokens:read',
  'tokens:write',
  'links:read',
  'links:write',
  'clicks:read',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'audit:read',
] as const

export type Scope = (typeof scopes)[number]

const known = new Set<unknown>(scopes)

export function isScope(value: unknown): value is Scope {
  return known.has(value)
}

/** Folded and in the order of the list above, so that equal sets look equal. */
export function inOrder(some: Iterable<Scope>): Scope[] {
  const wanted = new Set(some)
  return scopes.filter((scope) => wanted.has(scope))
}

export function missingFrom(granted: readonly Scope[], wanted: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !granted.includes(scope))
}

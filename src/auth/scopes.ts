/** The scopes within a workspace. A token can pass them on to tokens that it mints. */
export const workspaceScopes = [
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

/** `instance:read` shows what belongs to the operator and to no workspace, so it is given on the command line only. */
export const scopes = [...workspaceScopes, 'instance:read'] as const

export type WorkspaceScope = (typeof workspaceScopes)[number]
export type Scope = (typeof scopes)[number]

const known = new Set<unknown>(scopes)
const ofWorkspaces = new Set<unknown>(workspaceScopes)

export function isScope(value: unknown): value is Scope {
  return known.has(value)
}

export function isWorkspaceScope(value: unknown): value is WorkspaceScope {
  return ofWorkspaces.has(value)
}

/** Drops repetitions and sorts in the order of `scopes`, so that equal sets look equal. */
export function inOrder(some: Iterable<Scope>): Scope[] {
  const wanted = new Set(some)
  return scopes.filter((scope) => wanted.has(scope))
}

export function missingFrom(granted: readonly Scope[], wanted: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !granted.includes(scope))
}

/** Scopes within a workspace. A token can grant its scopes to tokens that it creates. */
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

/** `instance:read` covers data of the operator, outside any workspace. It is granted from the command line only. */
export const scopes = [...workspaceScopes, 'instance:read'] as const

/** What each scope allows. The OpenAPI document, the client and the dashboard show these texts. */
export const scopeDescriptions: Readonly<Record<(typeof scopes)[number], string>> = {
  'tokens:read': 'List tokens and their usage.',
  'tokens:write': 'Create, rotate and revoke tokens.',
  'links:read': 'Read links, their history, tags and exports.',
  'links:write': 'Create, import, change and delete links.',
  'clicks:read': 'Read clicks and analytics.',
  'webhooks:read': 'Read webhooks, deliveries and statistics.',
  'webhooks:write': 'Manage and test webhooks, and redeliver events.',
  'events:read': 'Read events, and why webhooks did or did not receive them.',
  'audit:read': 'Read and export the audit log.',
  'instance:read': 'Read the settings and health checks of the service.',
}

export type WorkspaceScope = (typeof workspaceScopes)[number]
export type Scope = (typeof scopes)[number]

const scopeSet = new Set<unknown>(scopes)
const workspaceScopeSet = new Set<unknown>(workspaceScopes)

export function isScope(value: unknown): value is Scope {
  return scopeSet.has(value)
}

export function isWorkspaceScope(value: unknown): value is WorkspaceScope {
  return workspaceScopeSet.has(value)
}

/** Removes duplicates and sorts in the order of `scopes`, so that equal sets have equal lists. */
export function sortScopes(unsorted: Iterable<Scope>): Scope[] {
  const included = new Set(unsorted)
  return scopes.filter((scope) => included.has(scope))
}

export function missingScopes(granted: readonly Scope[], wanted: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !granted.includes(scope))
}

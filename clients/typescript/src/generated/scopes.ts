// Generated from openapi.json by scripts/client-types.js.

/** What each scope of a token allows. */
export const scopeDescriptions = {
  'tokens:read': "List tokens and their usage.",
  'tokens:write': "Create, rotate and revoke tokens.",
  'links:read': "Read links, their history, tags and exports.",
  'links:write': "Create, import, change and delete links.",
  'clicks:read': "Read clicks and analytics.",
  'webhooks:read': "Read webhooks, deliveries and statistics.",
  'webhooks:write': "Manage and test webhooks, and redeliver events.",
  'events:read': "Read events, and why webhooks did or did not receive them.",
  'audit:read': "Read and export the audit log.",
  'instance:read': "Read the settings and health checks of the service.",
} as const

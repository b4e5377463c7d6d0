/** The pages of the menu and the command palette. */
import type { IconName } from '../components/icon.js'
import type { Me } from './session-state.js'

export type Scope = Me['scopes'][number]

export interface MenuPage {
  path: string
  name: string
  /** Opens the page after `g`. */
  key: string
  icon: IconName
  /** Null for a page that needs no particular scope. */
  scope: Scope | null
}

export const mainPages: readonly MenuPage[] = [
  { path: '/', name: 'Overview', key: 'o', icon: 'overview', scope: null },
  { path: '/links', name: 'Links', key: 'l', icon: 'links', scope: 'links:read' },
  { path: '/webhooks', name: 'Webhooks', key: 'w', icon: 'webhooks', scope: 'webhooks:read' },
  { path: '/events', name: 'Events', key: 'e', icon: 'events', scope: 'events:read' },
]

export const settingsPages: readonly MenuPage[] = [
  { path: '/settings/tokens', name: 'API tokens', key: 't', icon: 'tokens', scope: 'tokens:read' },
  { path: '/settings/notices', name: 'Notices', key: 'n', icon: 'notices', scope: 'webhooks:read' },
  { path: '/settings/audit-log', name: 'Audit log', key: 'a', icon: 'audit', scope: 'audit:read' },
  { path: '/settings/service', name: 'Service', key: 's', icon: 'service', scope: 'instance:read' },
]

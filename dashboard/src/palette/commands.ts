/** The commands of the palette that the token may run: actions and pages. */
import { exportUrl } from '../api/many-links.js'
import { safeUrl } from '../app/format.js'
import { requestSignOut } from '../app/request-sign-out.js'
import { mainPages, settingsPages } from '../app/menu-pages.js'
import type { Scope } from '../app/menu-pages.js'
import { overlay } from '../app/overlay.js'
import { lastDeletion } from '../app/pending-deletions.js'
import { visit } from '../app/router.js'
import { can } from '../app/session.js'
import { themes } from '../app/theme-switch.js'
import { setTheme, theme } from '../app/theme.js'
import type { IconName } from '../components/icon.js'

export interface PaletteItem {
  /** Unique in the palette. */
  id: string
  group: 'Actions' | 'Pages' | 'Settings' | 'Go to' | 'Links' | 'Webhooks'
  icon: IconName
  title: string
  detail?: string
  /** The shortcut of a command. */
  keys?: string
  run: () => void
}

interface PaletteAction {
  title: string
  icon: IconName
  scopes: readonly Scope[]
  run: () => void
}

const actions: readonly PaletteAction[] = [
  { title: 'Create link', icon: 'links', scopes: ['links:write'], run: () => visit('/links?new=1') },
  { title: 'Import links', icon: 'import', scopes: ['links:write'], run: () => visit('/links?new=many') },
  { title: 'Export links', icon: 'export', scopes: ['links:read'], run: downloadLinks },
  {
    title: 'Create webhook',
    icon: 'webhooks',
    scopes: ['webhooks:write', 'events:read'],
    run: () => visit('/webhooks?new=1'),
  },
  {
    title: 'Create token',
    icon: 'tokens',
    scopes: ['tokens:write'],
    run: () => visit('/settings/tokens?new=1'),
  },
  {
    title: 'Add notice target',
    icon: 'notices',
    scopes: ['webhooks:write', 'events:read'],
    run: () => visit('/settings/notices?new=1'),
  },
]

/** Returns all commands in the order in which they are shown. */
export function availableCommands(): PaletteItem[] {
  const deletion = lastDeletion()
  const undo =
    deletion && createCommandItem('Actions', 'done', `Undo deletion of ${deletion.name}`, deletion.undo, 'z')
  return [
    ...(undo ? [undo] : []),
    ...actions
      .filter(({ scopes }) => scopes.every(can))
      .map(({ icon, title, run }) => createCommandItem('Actions', icon, title, run)),
    ...[...mainPages, ...settingsPages]
      .filter(({ scope }) => scope === null || can(scope))
      .map(({ icon, name, key, path }) =>
        createCommandItem('Pages', icon, `Go to ${name}`, () => visit(path), `g ${key}`),
      ),
    ...themes
      .filter(([each]) => each !== theme.value)
      .map(([each]) => createCommandItem('Settings', each, `Switch theme: ${each}`, () => setTheme(each))),
    createCommandItem(
      'Settings',
      'service',
      'Show keyboard shortcuts',
      () => (overlay.value = 'shortcuts'),
      '?',
    ),
    createCommandItem(
      'Settings',
      'info',
      'Open API reference',
      () => void open('/docs', '_blank', 'noopener'),
    ),
    createCommandItem('Settings', 'leave', 'Sign out', () => requestSignOut()),
    createCommandItem('Settings', 'leave', 'Sign out everywhere', () => requestSignOut({ everywhere: true })),
  ]
}

function createCommandItem(
  group: PaletteItem['group'],
  icon: IconName,
  title: string,
  run: () => void,
  keys?: string,
): PaletteItem {
  return { id: title, group, icon, title, run, ...(keys === undefined ? {} : { keys }) }
}

/** Returns the command that creates a link to a pasted URL, or null for another text. */
export function shortenCommand(text: string): PaletteItem | null {
  if (safeUrl(text) === null || !can('links:write')) return null
  const path = `/links?new=1&url=${encodeURIComponent(text)}`
  return createCommandItem('Actions', 'links', `Create link to ${text.replace(/^https?:\/\//i, '')}`, () =>
    visit(path),
  )
}

function downloadLinks(): void {
  const link = document.createElement('a')
  link.href = exportUrl('csv', {})
  link.download = 'links.csv'
  link.click()
}

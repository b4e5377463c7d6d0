/** The keyboard shortcuts of all pages. keyboard.ts implements them. */
import { mainPages, settingsPages } from './menu-pages.js'

interface Shortcut {
  /** Keys in the order in which they are pressed, with `then` and `or` between them. */
  keys: string
  description: string
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const paletteKeys = isMac ? '⌘ K' : 'Ctrl K'

export const shortcutGroups: readonly (readonly [title: string, shortcuts: readonly Shortcut[]])[] = [
  [
    'General',
    [
      { keys: paletteKeys, description: 'Open the command palette' },
      { keys: '/', description: 'Focus search' },
      { keys: 'n', description: 'Create a link, webhook or token' },
      { keys: 'z', description: 'Undo the last deletion' },
      { keys: 'Esc', description: 'Close the dialog or leave the field' },
      { keys: '?', description: 'Show keyboard shortcuts' },
    ],
  ],
  [
    'Lists',
    [
      { keys: 'j or k', description: 'Next or previous row' },
      { keys: 'x', description: 'Select the row' },
      { keys: 'Enter or o', description: 'Open the row' },
    ],
  ],
  [
    'Go to',
    [...mainPages, ...settingsPages].map(({ key, name }) => ({ keys: `g then ${key}`, description: name })),
  ],
]

/** The keyboard shortcuts of all pages. keyboard.ts implements them. */
interface Shortcut {
  /** Keys in the order in which they are pressed, with `then` and `or` between them. */
  keys: string
  description: string
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const paletteKeys = isMac ? '⌘ K' : 'Ctrl K'

export const shortcuts: readonly Shortcut[] = [
  { keys: paletteKeys, description: 'Open the command palette' },
  { keys: '/', description: 'Focus search' },
  { keys: 'n', description: 'Create a link, webhook or token' },
  { keys: 'j or k', description: 'Next or previous row' },
  { keys: 'x', description: 'Select the row' },
  { keys: 'Enter or o', description: 'Open the row' },
  { keys: 'z', description: 'Undo the last deletion' },
  { keys: 'Esc', description: 'Close the dialog or leave the field' },
  { keys: 'g then o', description: 'Go to overview' },
  { keys: 'g then l', description: 'Go to links' },
  { keys: 'g then w', description: 'Go to webhooks' },
  { keys: 'g then e', description: 'Go to events' },
  { keys: 'g then t', description: 'Go to API tokens' },
  { keys: '?', description: 'Show keyboard shortcuts' },
]

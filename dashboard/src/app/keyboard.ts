/** Keyboard shortcuts that work on every page, except in fields and dialogs. shortcuts.ts describes them. */
import { mainPages, settingsPages } from './menu-pages.js'
import { openPalette, overlay } from './overlay.js'
import { lastDeletion } from './pending-deletions.js'
import { visit } from './router.js'
import { focusRow, openRow, toggleRow } from './rows.js'

const places = Object.fromEntries([...mainPages, ...settingsPages].map(({ key, path }) => [key, path]))
let isGPressed = false

export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.key === 'Escape' && isField(target)) return target.blur()
    if (isField(target) || document.querySelector('dialog[open]')) return
    if (isPaletteShortcut(event)) {
      event.preventDefault()
      openPalette()
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const wasGPressed = isGPressed
    isGPressed = event.key === 'g'
    const to = wasGPressed ? places[event.key] : undefined
    if (to !== undefined) return visit(to)
    const act = actions[event.key]
    if (!act?.()) return
    event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

const actions: Record<string, () => boolean> = {
  '/': () => focusFirst('[data-search]'),
  n: () => {
    const button = document.querySelector<HTMLElement>('[data-new]')
    button?.click()
    return button !== null
  },
  j: () => focusRow(1),
  k: () => focusRow(-1),
  o: openRow,
  x: toggleRow,
  z: () => {
    const deletion = lastDeletion()
    deletion?.undo()
    return deletion !== null
  },
  '?': () => {
    overlay.value = 'shortcuts'
    return true
  },
}

function focusFirst(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  return element !== null
}

function isPaletteShortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
}

function isField(element: HTMLElement): boolean {
  return element.matches('input:not([type=checkbox]):not([type=radio]), textarea, select')
}

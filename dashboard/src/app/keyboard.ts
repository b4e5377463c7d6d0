/** Keyboard shortcuts that work on every page, except in fields. */
import { lastDeletion } from './pending-deletions.js'
import { visit } from './router.js'

export const shortcuts: readonly [keys: string, meaning: string][] = [
  ['/', 'Focus search'],
  ['n', 'Create a link, webhook or token'],
  ['j k', 'Next or previous row'],
  ['Enter', 'Open the selected row'],
  ['z', 'Undo the last deletion'],
  ['Esc', 'Close the dialog or leave the field'],
  ['g o', 'Overview'],
  ['g l', 'Links'],
  ['g w', 'Webhooks'],
  ['g e', 'Events'],
  ['g t', 'API tokens'],
  ['?', 'Show keyboard shortcuts'],
]

const places: Record<string, string> = {
  o: '/',
  l: '/links',
  w: '/webhooks',
  e: '/events',
  t: '/settings/tokens',
}
let isGPressed = false

export function listenToKeys(showShortcuts: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (event.key === 'Escape' && isField(target)) return target.blur()
    if (event.metaKey || event.ctrlKey || event.altKey || isField(target)) return
    if (document.querySelector('dialog[open]')) return
    const wasGPressed = isGPressed
    isGPressed = event.key === 'g'
    const to = wasGPressed ? places[event.key] : undefined
    if (to !== undefined) return visit(to)
    const act = actions[event.key]
    if (event.key === '?') showShortcuts()
    else if (!act?.()) return
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
  j: () => step(1),
  k: () => step(-1),
  z: () => {
    const deletion = lastDeletion()
    deletion?.undo()
    return deletion !== null
  },
}

function focusFirst(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector)
  element?.focus()
  return element !== null
}

/** Moves the focus to the main link of the next or previous row. */
function step(by: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = rows[Math.min(rows.length - 1, Math.max(0, at === -1 ? 0 : at + by))]
  next?.focus()
  return next !== undefined
}

function isField(element: HTMLElement): boolean {
  return element.matches('input:not([type=checkbox]):not([type=radio]), textarea, select')
}

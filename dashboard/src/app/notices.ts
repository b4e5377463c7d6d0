/** Short-lived notices about completed actions, with the API call of each action. */
import { signal } from '@preact/signals'

import type { Snippet } from './snippets.js'

export interface Notice {
  id: number
  text: string
  snippet: Snippet | null
  isError: boolean
  /** Undoes the action. Such a notice stays until it is dismissed. */
  undo: (() => void) | null
  createdAt: number
}

export const notices = signal<readonly Notice[]>([])

const maxShown = 3
const shownMs = 12_000
let lastId = 0

export function showNotice(text: string, snippet: Snippet | null = null, isError = false): void {
  const { id } = addNotice({ text, snippet, isError, undo: null })
  setTimeout(() => dismiss(id), shownMs)
}

/** Returns the ID for `dismiss`. */
export function showUndoNotice(text: string, snippet: Snippet, undo: () => void): number {
  return addNotice({ text, snippet, isError: false, undo }).id
}

function addNotice(content: Omit<Notice, 'id' | 'createdAt'>): Notice {
  const notice = { id: ++lastId, createdAt: Date.now(), ...content }
  const shown = [...notices.value, notice]
  const droppable = shown.filter(({ undo }) => undo === null).slice(0, -maxShown)
  notices.value = shown.filter((each) => !droppable.includes(each))
  return notice
}

/** Another user must not see what the previous one did. */
export function dismissAll(): void {
  notices.value = []
}

/** Keeps errors, such as the failed deletions of a session that is over. */
export function dismissSuccesses(): void {
  notices.value = notices.value.filter(({ isError }) => isError)
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id)
}

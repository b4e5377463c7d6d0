/** Short-lived notices about completed actions, with the API call of each action. */
import { signal } from '@preact/signals'

import type { Snippet } from './snippets.js'

export interface Notice {
  id: number
  text: string
  snippet: Snippet | null
  isError: boolean
}

export const notices = signal<readonly Notice[]>([])

const maxShown = 3
const shownMs = 12_000
let lastId = 0

export function showNotice(text: string, snippet: Snippet | null = null, isError = false): void {
  const notice = { id: ++lastId, text, snippet, isError }
  notices.value = [...notices.value, notice].slice(-maxShown)
  setTimeout(() => dismiss(notice.id), shownMs)
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id)
}

/** Notices of what was just done, with the call that did it. Each is shown for a while. */
import { signal } from '@preact/signals'

import type { Snippet } from './snippets.js'

export interface Notice {
  id: number
  text: string
  snippet: Snippet | null
  isError: boolean
}

export const notices = signal<readonly Notice[]>([])

const mostShown = 3
const shownMs = 12_000
let last = 0

export function say(text: string, snippet: Snippet | null = null, isError = false): void {
  const notice = { id: ++last, text, snippet, isError }
  notices.value = [...notices.value, notice].slice(-mostShown)
  setTimeout(() => dismiss(notice.id), shownMs)
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id)
}

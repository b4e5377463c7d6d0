import { useEffect, useState } from 'preact/hooks'

import { useResource } from '../app/resource.js'
import { can } from '../app/session.js'
import { availableCommands, shortenCommand } from './commands.js'
import type { PaletteItem } from './commands.js'
import { findObject, isId, listWebhooks, matchWebhooks, searchService } from './objects.js'

const pauseMs = 150
const maxTextLength = 200
/** The longest destination that the API accepts. */
const maxUrlLength = 8_192

interface FoundItems {
  text: string
  items: readonly PaletteItem[]
  error: unknown
}

const nothing: FoundItems = { text: '', items: [], error: null }

interface SearchState {
  items: readonly PaletteItem[]
  isSearching: boolean
  error: unknown
}

/** Returns the items that match the text. Requests are sent only after a pause in typing. */
export function useSearch(typed: string): SearchState {
  const trimmed = typed.trim()
  const text = trimmed.slice(0, maxTextLength)
  const shorten = trimmed.length > maxUrlLength ? null : shortenCommand(trimmed)
  const [found, setFound] = useState(nothing)
  const commands = availableCommands()
  const webhooks = useResource(text !== '' && can('webhooks:read') ? 'palette webhooks' : null, listWebhooks)

  useEffect(() => {
    if (text === '') return setFound(nothing)
    const control = new AbortController()
    const { signal } = control
    const timer = setTimeout(() => {
      searchService(text, signal).then(
        (items) => signal.aborted || setFound({ text, items, error: null }),
        (error: unknown) => signal.aborted || setFound({ text, items: [], error }),
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [text])

  const matches = createMatcher(text)
  const isCurrent = found.text === text
  const object = isId(text) ? findObject(text) : null
  return {
    items: [
      ...(shorten ? [shorten] : []),
      ...(object ? [object] : []),
      ...commands.filter(({ title }) => matches(title)),
      // Until the new results arrive, keep the previous ones that match the new text too.
      ...found.items.filter(({ title, detail = '' }) => isCurrent || matches(`${title} ${detail}`)),
      ...(text === '' ? [] : matchWebhooks(webhooks.data ?? [], matches)),
    ],
    isSearching: text !== '' && (!isCurrent || (webhooks.isLoading && webhooks.data === null)),
    error: isCurrent ? (found.error ?? webhooks.error) : null,
  }
}

/** Returns whether a text contains all words that were typed. */
function createMatcher(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/)
  return (text) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}

/** The visible columns and the density of each list. The browser remembers them. */
import { signal } from '@preact/signals'

export type Density = 'comfortable' | 'compact'

interface ListView {
  /** The columns that a user has shown or hidden, by name. */
  columns: Readonly<Record<string, boolean>>
  density: Density
}

const initialView: ListView = { columns: {}, density: 'comfortable' }
const changedViews = signal<Readonly<Record<string, ListView>>>({})

const getStorageKey = (list: string) => `list ${list}`

export function getListView(list: string): ListView {
  return changedViews.value[list] ?? readView(list)
}

export function changeView(list: string, change: Partial<ListView>): void {
  const view = { ...getListView(list), ...change }
  changedViews.value = { ...changedViews.value, [list]: view }
  try {
    localStorage.setItem(getStorageKey(list), JSON.stringify(view))
  } catch {
    // Storage is blocked, so the view lasts until the page is closed.
  }
}

function readView(list: string): ListView {
  try {
    const { columns, density } = JSON.parse(
      localStorage.getItem(getStorageKey(list)) ?? '{}',
    ) as Partial<ListView>
    return { columns: { ...columns }, density: density === 'compact' ? density : 'comfortable' }
  } catch {
    return initialView
  }
}

export type WindowSize = 'narrow' | 'medium' | 'wide'

const narrow = matchMedia('(max-width: 1024px)')
const medium = matchMedia('(max-width: 1340px)')
const currentSize = (): WindowSize => (narrow.matches ? 'narrow' : medium.matches ? 'medium' : 'wide')

/** Lists show less in a smaller window. */
export const windowSize = signal<WindowSize>(currentSize())

for (const query of [narrow, medium])
  query.addEventListener('change', () => (windowSize.value = currentSize()))

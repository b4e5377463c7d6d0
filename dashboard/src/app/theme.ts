/** The color theme of the pages: system, light or dark. The browser remembers it. */
import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const key = 'theme'

/** The theme that public/theme.js applied before the first paint. */
export const theme = signal<Theme>(toTheme(document.documentElement.style.colorScheme))

export function setTheme(chosen: Theme): void {
  document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen
  theme.value = chosen
  try {
    if (chosen === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, chosen)
  } catch {
    // Storage is blocked, so the theme lasts until the page is closed.
  }
}

/** Applies a theme that was chosen in another tab. */
addEventListener('storage', (event) => {
  if (event.key === key) setTheme(toTheme(event.newValue))
})

function toTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}

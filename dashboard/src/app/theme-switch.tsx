import { Icon } from '../components/icon.js'
import { setTheme, theme } from './theme.js'
import type { Theme } from './theme.js'

export const themes: readonly [theme: Theme, label: string][] = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
]

/** Selects the theme of the pages. */
export function ThemeSwitch() {
  return (
    <div class="theme-switch" role="group" aria-label="Theme">
      {themes.map(([each, label]) => (
        <button
          key={each}
          type="button"
          title={label}
          aria-pressed={theme.value === each}
          onClick={() => setTheme(each)}
        >
          <Icon name={each} />
          <span class="hidden-text">{label}</span>
        </button>
      ))}
    </div>
  )
}

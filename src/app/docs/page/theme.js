/* Applies the theme of the dashboard, or of the system, before the first paint. */
/* global document, localStorage, matchMedia */
const dark = matchMedia('(prefers-color-scheme: dark)')

function applyTheme() {
  let theme = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage is blocked, so the theme follows the system.
  }
  const isChosen = theme === 'light' || theme === 'dark'
  document.documentElement.style.colorScheme = isChosen ? theme : ''
  // Swagger UI has its own dark colors.
  document.documentElement.classList.toggle('dark-mode', isChosen ? theme === 'dark' : dark.matches)
}

dark.addEventListener('change', applyTheme)
applyTheme()

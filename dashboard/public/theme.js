/* Applies the remembered theme before the first paint. src/app/theme.ts changes it. */
/* global document, localStorage */
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
} catch {
  // Storage is blocked, so the theme follows the system.
}

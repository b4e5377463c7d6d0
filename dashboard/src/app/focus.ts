/**
 * Restores the keyboard focus that browsers lose: if the focused element is removed, such as a filter, the title of the
 * page gets the focus. A button that was disabled while its action ran gets the focus back.
 */
export function keepFocus(): () => void {
  let lastFocused: EventTarget | null = null
  let wasDisabled = false
  const rememberFocus = ({ target }: FocusEvent) => {
    lastFocused = target
    wasDisabled = false
  }
  const observer = new MutationObserver(() => {
    if (!(lastFocused instanceof HTMLElement)) return
    const isEnabledAgain = wasDisabled && !lastFocused.matches(':disabled')
    // The browser removes the focus from a disabled element only at the next repaint.
    wasDisabled = lastFocused.matches(':disabled')
    if (document.activeElement !== document.body) return
    const next = lastFocused.isConnected
      ? isEnabledAgain
        ? lastFocused
        : null
      : document.querySelector<HTMLElement>('h1')
    next?.focus({ preventScroll: true })
  })
  // A click moves the focus on purpose.
  const forgetFocus = () => (lastFocused = null)
  document.addEventListener('focusin', rememberFocus)
  document.addEventListener('pointerdown', forgetFocus)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', rememberFocus)
    document.removeEventListener('pointerdown', forgetFocus)
  }
}

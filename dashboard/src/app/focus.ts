/**
 * Keeps the focus on the page for people who use the keyboard. If the element with the focus is removed, such as a
 * filter that is taken off, browsers start again at the top of the window. So the title gets the focus instead.
 * A button that is disabled while its work runs loses the focus too, and gets it back.
 */
export function keepFocus(): () => void {
  let last: EventTarget | null = null
  let wasDisabled = false
  const remember = ({ target }: FocusEvent) => {
    last = target
    wasDisabled = false
  }
  const observer = new MutationObserver(() => {
    if (!(last instanceof HTMLElement)) return
    const isEnabledAgain = wasDisabled && !last.matches(':disabled')
    // The browser takes the focus from a disabled element only when it draws next.
    wasDisabled = last.matches(':disabled')
    if (document.activeElement !== document.body) return
    const next = last.isConnected ? (isEnabledAgain ? last : null) : document.querySelector<HTMLElement>('h1')
    next?.focus({ preventScroll: true })
  })
  // A click takes the focus away on purpose, also a click beside all elements.
  const forget = () => (last = null)
  document.addEventListener('focusin', remember)
  document.addEventListener('pointerdown', forget)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('pointerdown', forget)
  }
}

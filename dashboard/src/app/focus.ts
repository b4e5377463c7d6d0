/**
 * Keeps the focus on the page for those who steer by keys. A browser begins again at the top of the window where the element that
 * has it goes away, such as a filter that is taken off: then they go on from the title. A button that cannot be pressed while its
 * work runs loses it too, and gets it back.
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
  // A click beside everything takes the focus away, and that is what was wanted.
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

/** A button that opens the less common actions of a page or row. The browser closes them on Escape or a click elsewhere. */
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

import { Icon } from './icon.js'

interface Props {
  /** For screen readers. */
  label?: string
  children: ComponentChildren
}

export function MoreMenu({ label = 'More actions', children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const moveBelowButton = () => {
    const place = button.current?.getBoundingClientRect()
    if (!place || !menu.current) return
    menu.current.style.top = `${place.bottom + scrollY + 4}px`
    menu.current.style.right = `${document.documentElement.clientWidth - place.right}px`
  }
  return (
    <>
      <button ref={button} type="button" class="more" popovertarget={id} onClick={moveBelowButton}>
        <Icon name="more" />
        <span class="hidden-text">{label}</span>
      </button>
      {/* Closing the menu focuses the button, so a dialog opened from the menu returns the focus there. */}
      <div ref={menu} id={id} popover="auto" class="more-menu" onClick={() => menu.current?.hidePopover()}>
        {children}
      </div>
    </>
  )
}

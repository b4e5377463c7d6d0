import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A reference to the element of a dialog. */
export interface ModalRef {
  current: HTMLDialogElement | null
  /** Gets the focus when the dialog closes. Null until the dialog is open. */
  opener: Element | null
}

/** The open dialogs, the topmost last. */
const openModals = signal<readonly ModalRef[]>([])

/** Whether this dialog is the topmost, or for `undefined`, whether no dialog is open. */
export function isTopmost(modal: ModalRef | undefined): boolean {
  return openModals.value.at(-1) === modal
}

/**
 * Returns the attributes of a modal dialog element that is open while it is rendered. Escape, a click on the backdrop and
 * the back gesture call `requestClose`, and only unmounting closes the dialog.
 */
export function useModal(requestClose: () => void) {
  const [modal] = useState<ModalRef>(() => ({ current: null, opener: null }))
  const isPressedOutside = useRef(false)
  useEffect(() => {
    modal.opener = document.activeElement
    if (modal.current) showWithFocus(modal.current)
    openModals.value = [...openModals.value, modal]
  }, [])
  // The cleanup of `useEffect` runs after the next paint, and a key that is pressed before it would be lost.
  useLayoutEffect(() => {
    const dialog = modal.current
    return () => {
      const { opener } = modal
      const modals = openModals.peek()
      const above = modals[modals.indexOf(modal) + 1]
      dialog?.close()
      openModals.value = modals.filter((each) => each !== modal)
      // The page cannot get the focus before the dialog above has closed.
      if (opener && above) above.opener = opener
      else if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return {
    ref: modal,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      requestClose()
    },
    onCancel: (event: Event) => {
      // A file field also has a cancel event.
      if (event.target !== modal.current) return
      event.preventDefault()
      requestClose()
    },
    onClose: () => {
      // The event may arrive after another dialog has replaced this one.
      if (!modal.current) return
      // Browsers let a page cancel the back gesture only once, so reopen the dialog.
      showWithFocus(modal.current)
      requestClose()
    },
    onPointerDown: (event: PointerEvent) => {
      isPressedOutside.current = isOutside(event, modal.current)
    },
    // Selecting text can end outside, which is not a click on the backdrop.
    onClick: (event: MouseEvent) => {
      if (isPressedOutside.current && isOutside(event, modal.current)) requestClose()
      isPressedOutside.current = false
    },
  }
}

/** The backdrop belongs to the dialog element, like its padding. */
function isOutside({ target, clientX, clientY }: MouseEvent, dialog: HTMLDialogElement | null): boolean {
  if (!dialog || target !== dialog) return false
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

function showWithFocus(dialog: HTMLDialogElement): void {
  dialog.showModal()
  const field = dialog.querySelector<HTMLElement>('[data-first]') ?? dialog.querySelector('input, textarea')
  if (field instanceof HTMLElement) field.focus()
}

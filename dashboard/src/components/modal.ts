import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export type ModalRef = RefObject<HTMLDialogElement | null>

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
  const element = useRef<HTMLDialogElement>(null)
  const isPressedOutside = useRef(false)
  useEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    if (dialog) showWithFocus(dialog)
    openModals.value = [...openModals.value, element]
    return () => {
      dialog?.close()
      openModals.value = openModals.value.filter((each) => each !== element)
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return {
    ref: element,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      requestClose()
    },
    onCancel: (event: Event) => {
      // A file field also has a cancel event.
      if (event.target !== element.current) return
      event.preventDefault()
      requestClose()
    },
    onClose: () => {
      // The event may arrive after another dialog has replaced this one.
      if (!element.current) return
      // Browsers let a page cancel the back gesture only once, so reopen the dialog.
      showWithFocus(element.current)
      requestClose()
    },
    onPointerDown: (event: PointerEvent) => {
      isPressedOutside.current = isOutside(event, element.current)
    },
    // Selecting text can end outside, which is not a click on the backdrop.
    onClick: (event: MouseEvent) => {
      if (isPressedOutside.current && isOutside(event, element.current)) requestClose()
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

/** A native dialog: the browser keeps the focus in it, closes it by Esc, and gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
}

/** Is open for as long as it is rendered. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    const field =
      dialog?.querySelector<HTMLElement>('[data-first]') ?? dialog?.querySelector('input, textarea')
    if (field instanceof HTMLElement) field.focus()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  // The browser tells of it a moment later: a dialog that was taken away to make room for the next is no reason to leave.
  const leave = () => {
    if (element.current) onClose()
  }
  return (
    <dialog ref={element} class={wide ? 'wide' : ''} aria-labelledby={id} onClose={leave}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  )
}

interface FormProps {
  title: string
  /** On the button that sends. */
  action: string
  isDisabled: boolean
  onSend: () => void
  onClose: () => void
  children: ComponentChildren
}

/** Fields, with a button that sends them and one that does not. */
export function FormDialog({ title, action, isDisabled, onSend, onClose, children }: FormProps) {
  const send = (event: Event) => {
    event.preventDefault()
    onSend()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={send}>
        {children}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={isDisabled}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ConfirmProps {
  title: string
  action: string
  isBusy: boolean
  error?: ComponentChildren
  onConfirm: () => void
  onClose: () => void
  children: ComponentChildren
}

/** For what cannot be taken back: says what happens, and names the action on its button. */
export function Confirm({ title, action, isBusy, error, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {children}
        {error}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="danger" disabled={isBusy} onClick={onConfirm}>
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

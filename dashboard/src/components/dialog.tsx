/** A native dialog: the browser keeps the focus in it, closes it by Esc, and gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
  /** Called instead of `onClose` when Escape or the close button would lose what the dialog shows. */
  onCloseRefused?: (() => void) | undefined
}

/** The dialog is open for as long as it is rendered. */
export function Dialog({ title, onClose, onCloseRefused, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    if (dialog) showWithFocus(dialog)
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  const cancel = (event: Event) => {
    if (!onCloseRefused) return
    event.preventDefault()
    onCloseRefused()
  }
  // Arrives after the dialog has closed: ignored if another dialog replaced this one.
  const leave = () => {
    if (!element.current) return
    if (!onCloseRefused) return onClose()
    // Browsers let a page prevent Escape only once.
    showWithFocus(element.current)
    onCloseRefused()
  }
  return (
    <dialog ref={element} class={wide ? 'wide' : ''} aria-labelledby={id} onCancel={cancel} onClose={leave}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onCloseRefused ?? onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  )
}

function showWithFocus(dialog: HTMLDialogElement): void {
  dialog.showModal()
  const field = dialog.querySelector<HTMLElement>('[data-first]') ?? dialog.querySelector('input, textarea')
  if (field instanceof HTMLElement) field.focus()
}

/** Aborted once the dialog is gone: what it has begun may end later, when the person is elsewhere. */
export function useGone(): AbortSignal {
  const [control] = useState(() => new AbortController())
  useEffect(() => () => control.abort(), [])
  return control.signal
}

interface FormProps {
  title: string
  /** The text of the button that sends. */
  action: string
  isDisabled: boolean
  onSend: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with fields, a button that sends them, and a button that cancels. */
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

/** Asks before something that cannot be undone. It says what happens, and its button names the action. */
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

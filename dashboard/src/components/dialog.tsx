/** Dialogs built on the native element, in which the browser traps the focus and handles Escape. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

import { TextField } from './form.js'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
  /** Called instead of `onClose` while Escape and the close button must not close the dialog. */
  onCloseRefused?: (() => void) | undefined
}

/** A modal dialog that is open while it is rendered. */
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
  const handleCancel = (event: Event) => {
    if (!onCloseRefused) return
    event.preventDefault()
    onCloseRefused()
  }
  // The close event may arrive after another dialog has replaced this one.
  const handleClose = () => {
    if (!element.current) return
    if (!onCloseRefused) return onClose()
    // Browsers let a page cancel Escape only once, so reopen the dialog.
    showWithFocus(element.current)
    onCloseRefused()
  }
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={handleCancel}
      onClose={handleClose}
    >
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

/** Returns a signal that aborts when the component unmounts, for work that can outlive the component. */
export function useUnmountSignal(): AbortSignal {
  const [control] = useState(() => new AbortController())
  useEffect(() => () => control.abort(), [])
  return control.signal
}

interface FormProps {
  title: string
  /** The text of the submit button. */
  action: string
  isDisabled: boolean
  onSend: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with a form, a submit button and a cancel button. */
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
  /** A name that the user must type before the action is possible. */
  typed?: string
  isBusy: boolean
  error?: ComponentChildren
  onConfirm: () => void
  onClose: () => void
  children: ComponentChildren
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({ title, action, typed, isBusy, error, onConfirm, onClose, children }: ConfirmProps) {
  const [text, setText] = useState('')
  const isConfirmed = typed === undefined || text.trim() === typed.trim()
  const confirm = (event: Event) => {
    event.preventDefault()
    if (isConfirmed) onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={confirm}>
        {children}
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to confirm`}
            value={text}
            onInput={setText}
            autocomplete="off"
            isFirst
          />
        )}
        {error}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="danger" disabled={isBusy || !isConfirmed}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Dialogs built on the native element, in which the browser traps the focus. */
import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useId, useState } from 'preact/hooks'

import { askToDiscard, useUnsavedChanges } from '../app/unsaved-changes.js'
import { TextField } from './form.js'
import { useModal } from './modal.js'
import { NoticeList } from './notice-list.js'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
  /** Whether closing would lose input. The user must then confirm. */
  isChanged?: boolean
  /** Called instead of `onClose` while Escape and the close button must not close the dialog. */
  onCloseRefused?: (() => void) | undefined
}

const RequestClose = createContext<() => void>(() => undefined)

/** A modal dialog that is open while it is rendered. */
export function Dialog({
  title,
  onClose,
  onCloseRefused,
  children,
  wide = false,
  isChanged = false,
}: DialogProps) {
  const id = useId()
  useUnsavedChanges(isChanged)
  const closeOrAsk = async () => {
    if (!isChanged || (await askToDiscard())) onClose()
  }
  const requestClose = onCloseRefused ?? (() => void closeOrAsk())
  const modal = useModal(requestClose)
  return (
    <dialog {...modal} class={wide ? 'wide' : ''} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={requestClose}>
          ✕
        </button>
      </div>
      <RequestClose.Provider value={requestClose}>{children}</RequestClose.Provider>
      <NoticeList modal={modal.ref} />
    </dialog>
  )
}

/** Closes its dialog like Escape. */
export function CancelButton() {
  return (
    <button type="button" onClick={useContext(RequestClose)}>
      Cancel
    </button>
  )
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
  /** While true, the dialog does not close, because it will show a secret that cannot be retrieved later. */
  isBusy?: boolean
  /** Whether closing would lose input. */
  isChanged?: boolean
  onSend: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with a form, a submit button and a cancel button. */
export function FormDialog({
  title,
  action,
  isDisabled,
  isBusy = false,
  isChanged = false,
  onSend,
  onClose,
  children,
}: FormProps) {
  const send = (event: Event) => {
    event.preventDefault()
    onSend()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isChanged={isChanged}
      onCloseRefused={isBusy ? () => undefined : undefined}
    >
      <form class="stack" onSubmit={send}>
        {children}
        <div class="row end">
          <CancelButton />
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
  isBusy?: boolean
  error?: ComponentChildren
  onConfirm: () => void
  onClose: () => void
  children: ComponentChildren
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({
  title,
  action,
  typed,
  isBusy = false,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
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
          <CancelButton />
          <button class="danger" disabled={isBusy || !isConfirmed}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

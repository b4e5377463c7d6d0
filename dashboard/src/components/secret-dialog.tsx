/** Dialogs that show a new secret once, and that rotate a secret. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { CopyButton } from './basics.js'
import { Dialog, FormDialog } from './dialog.js'
import { fieldError, FormError, TextField, useAction } from './form.js'

interface SecretProps {
  title: string
  /** Null if the person chose the secret, and so knows it. */
  value: string | null
  what: string
  onClose: () => void
  children?: ComponentChildren
}

/** The value is only in the page's memory, so a stray Enter or Escape must not close the dialog before it is copied. */
export function SecretDialog({ title, value, what, onClose, children }: SecretProps) {
  const [isCopied, setCopied] = useState(value === null)
  const [isAsked, setAsked] = useState(false)
  return (
    <Dialog title={title} onClose={onClose} onCloseRefused={isCopied ? undefined : () => setAsked(true)}>
      <div class="stack">
        {value !== null && (
          <>
            <div class="callout warn">
              <b>Copy it now.</b> {what} is shown only once and cannot be retrieved later.
            </div>
            <div class="secret">
              <code data-secret="" onCopy={() => setCopied(true)}>
                {value}
              </code>
              <CopyButton text={value} isFirst onCopied={() => setCopied(true)} />
            </div>
          </>
        )}
        {children}
        {isAsked && !isCopied && (
          <div class="callout bad row wrap" role="alert">
            <span>You have not copied it yet.</span>
            <button type="button" class="danger" onClick={onClose}>
              Close without copying
            </button>
          </div>
        )}
        <div class="row end">
          <button type="button" class="primary" onClick={onClose}>
            I have copied it
          </button>
        </div>
      </div>
    </Dialog>
  )
}

interface RotateSecretProps {
  title: string
  explanation: string
  /** The label of the field for how long the old secret still works. */
  label: string
  what: string
  /** The text beside the new value. */
  afterwards: string
  rotate: (body: { overlap: string }) => Promise<string | null>
  onClose: () => void
}

export function RotateDialog({
  title,
  explanation,
  label,
  what,
  afterwards,
  rotate,
  onClose,
}: RotateSecretProps) {
  const [overlap, setOverlap] = useState('24h')
  const [made, setMade] = useState<{ value: string | null } | null>(null)
  const rotating = useAction()
  const send = () => rotating.run(async () => setMade({ value: await rotate({ overlap: overlap.trim() }) }))
  if (made)
    return (
      <SecretDialog title={what} value={made.value} what={what} onClose={onClose}>
        <p>{afterwards}</p>
      </SecretDialog>
    )
  return (
    <FormDialog title={title} action="Rotate" isDisabled={rotating.isBusy} onSend={send} onClose={onClose}>
      <p>{explanation}</p>
      <TextField
        label={label}
        hint="Such as 30m, 24h or 7d."
        value={overlap}
        onInput={setOverlap}
        error={fieldError(rotating.error, '/overlap')}
        required
        isFirst
      />
      <FormError error={rotating.error} shown={['/overlap']} />
    </FormDialog>
  )
}

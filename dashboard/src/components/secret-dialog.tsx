/** Dialogs that show a new secret once or rotate a secret. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { CopyButton } from './basics.js'
import { Dialog, FormDialog } from './dialog.js'
import { fieldError, FormError, TextField, useAction } from './form.js'

type SecretKind = 'token' | 'signing secret' | 'link'

interface SecretProps {
  title: string
  /** Null if the user chose the secret. */
  value: string | null
  kind: SecretKind
  onClose: () => void
  children?: ComponentChildren
}

/** Shows a secret that cannot be retrieved again. Escape does not close the dialog before the secret is copied. */
export function SecretDialog({ title, value, kind, onClose, children }: SecretProps) {
  const [isCopied, setCopied] = useState(value === null)
  const [hasTriedClose, setHasTriedClose] = useState(false)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isChanged={!isCopied}
      onCloseRefused={isCopied ? undefined : () => setHasTriedClose(true)}
    >
      <div class="stack">
        {value !== null && (
          <>
            <div class="callout warn">
              <b>Copy the {kind} now.</b> It is shown only once.
            </div>
            <div class="secret">
              <code data-secret="" onCopy={() => setCopied(true)}>
                {value}
              </code>
              <CopyButton text={value} isFirst isPrimary={!isCopied} onCopied={() => setCopied(true)} />
            </div>
          </>
        )}
        {children}
        {hasTriedClose && !isCopied && (
          <div class="callout bad row wrap" role="alert">
            <span>You have not copied the {kind} yet.</span>
            <button type="button" class="danger" onClick={onClose}>
              Close without copying
            </button>
          </div>
        )}
        <div class="row end">
          <button
            type="button"
            class={isCopied ? 'primary' : ''}
            onClick={isCopied ? onClose : () => setHasTriedClose(true)}
          >
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}

interface RotateSecretProps {
  title: string
  /** The text of the submit button. */
  action: string
  explanation: string
  /** The label of the field for how long the old secret keeps working. */
  label: string
  kind: SecretKind
  /** The text below the new value. */
  afterwards: string
  rotate: (body: { overlap: string }) => Promise<string | null>
  onClose: () => void
}

const defaultOverlap = '24h'

export function RotateDialog({
  title,
  action,
  explanation,
  label,
  kind,
  afterwards,
  rotate,
  onClose,
}: RotateSecretProps) {
  const [overlap, setOverlap] = useState(defaultOverlap)
  const [rotated, setRotated] = useState<{ value: string | null } | null>(null)
  const rotating = useAction()
  const send = () =>
    rotating.run(async () => setRotated({ value: await rotate({ overlap: overlap.trim() }) }))
  if (rotated)
    return (
      <SecretDialog title={`New ${kind}`} value={rotated.value} kind={kind} onClose={onClose}>
        <p>{afterwards}</p>
      </SecretDialog>
    )
  return (
    <FormDialog
      title={title}
      action={action}
      isDisabled={rotating.isBusy}
      isBusy={rotating.isBusy}
      isChanged={overlap !== defaultOverlap}
      onSend={send}
      onClose={onClose}
    >
      <p>{explanation}</p>
      <TextField
        label={label}
        hint="A duration such as 30m, 24h or 7d."
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

/** Form fields with labels and errors, and actions that cannot run twice at the same time. */
import { LinkServiceError } from '@link-service/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

export interface Action {
  isBusy: boolean
  error: unknown
  /** Runs the work, unless the action is running. */
  run: (work: () => Promise<void>) => void
  clear: () => void
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  return {
    isBusy,
    error,
    clear: () => setError(null),
    run: (work) => {
      if (isBusy) return
      setBusy(true)
      setError(null)
      work()
        .catch((failure: unknown) => setError(failure))
        .finally(() => setBusy(false))
    },
  }
}

/** Returns the service's message about a field of the request body, or null. */
export function fieldError(error: unknown, pointer: string): string | null {
  if (!(error instanceof LinkServiceError)) return null
  const match = error.errors.find(
    (each) => each.pointer === pointer || each.pointer?.startsWith(`${pointer}/`),
  )
  return match?.detail ?? null
}

interface FieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | null
  /** Receives the attributes that link the control to its label, hint and error. */
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ComponentChildren
}

export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== null })}
      <div id={`${id}-hint`}>
        {error !== null && <p class="field-error">{error}</p>}
        {hint && error === null && <p class="hint">{hint}</p>}
      </div>
    </div>
  )
}

/** The error of a form, unless one of the fields in `shown` displays it. */
export function FormError({ error, shown = [] }: { error: unknown; shown?: readonly string[] }) {
  if (error === null || error === undefined) return null
  if (shown.some((pointer) => fieldError(error, pointer) !== null)) return null
  const message = error instanceof Error ? messageOf(error) : 'Something went wrong. Try again.'
  return (
    <p class="form-error" role="alert">
      {message}
    </p>
  )
}

/** Returns the messages of the fields without their JSON pointers, which are for programs. */
function messageOf(error: Error): string {
  const fields = error instanceof LinkServiceError ? error.errors : []
  return fields.length === 0 ? error.message : fields.map(({ detail }) => detail).join('\n')
}

interface TextProps {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: ComponentChildren
  error?: string | null
  placeholder?: string
  type?: 'text' | 'password' | 'url' | 'date' | 'datetime-local'
  required?: boolean
  /** Gets the focus when rendered. The autofocus attribute has no effect if another element has the focus. */
  isFirst?: boolean
  autocomplete?: string
}

export function TextField({
  label,
  value,
  onInput,
  hint,
  error = null,
  type = 'text',
  isFirst = false,
  ...rest
}: TextProps) {
  const element = useRef<HTMLInputElement>(null)
  // In a dialog, which is not open yet, `Dialog` sets the focus.
  useEffect(() => {
    if (isFirst) element.current?.focus()
  }, [])
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          ref={element}
          data-first={isFirst ? '' : undefined}
          // The JSX types check attributes per input type. These fit every type used here, so leave `type` untyped.
          {...({ type } as object)}
          spellcheck={false}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onPick: (value: string) => void
}

/** A select whose label is only for screen readers. */
export function Select({ label, value, options, onPick }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** A search field that waits for a pause in typing. */
export function Search({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (text: string) => void
}) {
  const [timer, setTimer] = useState(0)
  const searchLater = (text: string) => {
    clearTimeout(timer)
    setTimer(window.setTimeout(() => onSearch(text.trim()), 250))
  }
  return (
    <input
      type="search"
      data-search=""
      aria-label={label}
      placeholder={`${label}  /`}
      defaultValue={value}
      onInput={(event) => searchLater(event.currentTarget.value)}
    />
  )
}

/** Form fields with labels and errors, and actions that cannot run twice at the same time. */
import { LinkServiceError } from '@link-service/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { capitalize } from '../app/format.js'

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

/** Returns the service's messages about a field of the request body, or null. */
export function fieldError(error: unknown, pointer: string): string | null {
  const errors = getInputErrors(error).filter((each) => isAt(pointer, each))
  return errors.length === 0 ? null : joinMessages(errors.map(({ detail }) => withoutJsonAdvice(detail)))
}

/** Removes the advice about quotes, which is for programs that send JSON. */
function withoutJsonAdvice(detail: string): string {
  return detail.replace(', without quotes', '')
}

type InputError = LinkServiceError['errors'][number]

function getInputErrors(error: unknown): readonly InputError[] {
  return error instanceof LinkServiceError ? error.errors : []
}

/** Whether an error concerns a field or a value within the field. */
function isAt(field: string, { pointer }: InputError): boolean {
  return pointer === field || pointer?.startsWith(`${field}/`) === true
}

function joinMessages(messages: readonly string[]): string {
  return [...new Set(messages)].join('\n')
}

interface FieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | null
  /** Receives the attributes that link the control to its label, hint and error. */
  children: (ids: FieldIds) => ComponentChildren
}

interface FieldIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
}

export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const isDescribed = error !== null || Boolean(hint)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': isDescribed ? hintId : undefined, 'aria-invalid': error !== null })}
      {isDescribed && (
        <p id={hintId} class={error === null ? 'hint' : 'field-error'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

/**
 * Shows the errors that no field displays, and focuses the first invalid field. `shown` has the pointers of the fields
 * that display their errors.
 */
export function FormError({ error, shown = [] }: { error: unknown; shown?: readonly string[] }) {
  const element = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (error === null || error === undefined) return
    const form = element.current?.closest('form, dialog, section')
    const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (invalid) invalid.focus()
    else element.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  const message = getFormErrorMessage(error, shown)
  if (message === '') return <p ref={element} hidden />
  return (
    <p ref={element} class="form-error" role="alert">
      {message}
    </p>
  )
}

function getFormErrorMessage(error: unknown, shown: readonly string[]): string {
  if (error === null || error === undefined) return ''
  if (!(error instanceof Error)) return 'Something went wrong. Try again.'
  const errors = getInputErrors(error)
  if (errors.length === 0) return error.message
  return joinMessages(errors.filter((each) => !shown.some((field) => isAt(field, each))).map(describeError))
}

/** Returns the message with the name of its field in words, because JSON pointers are for programs. */
function describeError({ pointer = '', parameter, detail }: InputError): string {
  const name = parameter ?? pointer.split('/').findLast((part) => !/^\d*$/.test(part))
  if (name === undefined) return withoutJsonAdvice(detail)
  const words = name.replaceAll('_', ' ').replace(/\b(?:id|url)\b/g, (word) => word.toUpperCase())
  return `${capitalize(words)}: ${withoutJsonAdvice(detail)}`
}

interface MoreOptionsProps {
  /** Whether the options are shown when the form opens. */
  isOpen: boolean
  /** The pointers of the options. */
  pointers: readonly string[]
  error: unknown
  hint?: string
  children: ComponentChildren
}

/** The less common fields of a form, which open when one of them has an error. */
export function MoreOptions({ isOpen, pointers, error, hint, children }: MoreOptionsProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const [isOpenAtFirst] = useState(isOpen)
  const hasError = pointers.some((pointer) => fieldError(error, pointer) !== null)
  // The `open` attribute must not depend on the error, because saving again clears the error.
  useLayoutEffect(() => {
    if (hasError) element.current!.open = true
  }, [hasError])
  return (
    <details ref={element} class="more-options" open={isOpenAtFirst}>
      <summary>
        More options <span class="hint">{hint}</span>
      </summary>
      <div class="stack">{children}</div>
    </details>
  )
}

interface TextProps {
  label: string
  value: string
  onInput: (value: string) => void
  hint?: ComponentChildren
  error?: string | null
  placeholder?: string
  type?: 'text' | 'number' | 'password' | 'url' | 'date' | 'datetime-local'
  required?: boolean
  /** Gets the focus when rendered. The autofocus attribute has no effect if another element has the focus. */
  isFirst?: boolean
  autocomplete?: string
  disabled?: boolean
  /** ID of a `datalist` with suggestions. */
  list?: string
}

export function TextField({
  label,
  value,
  onInput,
  hint,
  error = null,
  type = 'text',
  isFirst = false,
  list,
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
          // The JSX types check attributes per input type. These fit every type used here, so leave them untyped.
          {...({ type, list } as object)}
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
  const element = useRef<HTMLInputElement>(null)
  const searched = useRef(value)
  const timer = useRef(0)
  const searchLater = (text: string) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      searched.current = text.trim()
      onSearch(searched.current)
    }, 250)
  }
  // `value` also changes after a search from this field. The user may have typed more since then, so keep the text.
  useEffect(() => {
    if (!element.current || value === searched.current) return
    clearTimeout(timer.current)
    searched.current = value
    element.current.value = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      ref={element}
      type="search"
      data-search=""
      aria-label={label}
      placeholder={label}
      defaultValue={value}
      onInput={(event) => searchLater(event.currentTarget.value)}
    />
  )
}

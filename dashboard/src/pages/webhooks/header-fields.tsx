/** The custom headers of a webhook. Stored values are never shown. */
import type { HeaderValue } from './webhook-values.js'

const maxHeaders = 10

interface HeaderFieldsProps {
  headers: readonly HeaderValue[]
  onChange: (headers: HeaderValue[]) => void
  error: string | null
}

export function HeaderFields({ headers, onChange, error }: HeaderFieldsProps) {
  const change = (index: number, part: Partial<HeaderValue>) =>
    onChange(headers.map((header, each) => (each === index ? { ...header, ...part } : header)))
  return (
    <fieldset>
      <legend>Custom headers</legend>
      {headers.map(({ name, value, isStored }, index) => (
        <div key={index} class="header-row">
          <input
            aria-label={`Name of header ${index + 1}`}
            placeholder="Authorization"
            value={name}
            readOnly={isStored}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => change(index, { name: currentTarget.value })}
          />
          <input
            aria-label={`Value of header ${index + 1}`}
            placeholder={isStored ? 'Unchanged' : 'Value'}
            value={value}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => change(index, { value: currentTarget.value })}
          />
          <button
            type="button"
            class="small"
            onClick={() => onChange(headers.filter((_, each) => each !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      {error !== null && <p class="field-error">{error}</p>}
      <p class="hint">Sent with each delivery. Values are stored encrypted and never shown again.</p>
      {headers.length < maxHeaders && (
        <button
          type="button"
          class="small"
          onClick={() => onChange([...headers, { name: '', value: '', isStored: false }])}
        >
          Add header
        </button>
      )}
    </fieldset>
  )
}

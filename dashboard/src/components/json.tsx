/** Text of a request or response. JSON is indented and highlighted. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** Longer text is truncated until the user expands it. */
const maxLines = 20

export function CodeBox({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const pretty = indentedJson(text)
  const shown = pretty ?? text
  const count = shown.split('\n').length
  const isCut = count > maxLines && !isOpen
  const look = pretty === null ? '' : 'json '
  return (
    <div class="code-box">
      <pre tabIndex={0} class={`${look}${isCut ? 'is-cut' : 'is-whole'}`}>
        {pretty === null ? text : highlighted(pretty)}
      </pre>
      {isCut && (
        <button type="button" class="small" onClick={() => setOpen(true)}>
          Show all {count} lines
        </button>
      )}
    </div>
  )
}

/** Returns null if the text is not JSON. */
function indentedJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}

/** A string, with the colon after a key; a number; or a literal. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\b(?:true|false|null)\b/g

function highlighted(json: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of json.matchAll(token)) {
    const [whole, string, colon] = match
    parts.push(json.slice(end, match.index))
    if (colon === undefined)
      parts.push(<span class={string === undefined ? 'literal' : 'string'}>{whole}</span>)
    else parts.push(<span class="key">{string}</span>, colon)
    end = match.index + whole.length
  }
  return [...parts, json.slice(end)]
}

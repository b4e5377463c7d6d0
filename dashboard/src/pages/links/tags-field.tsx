/** Tags as chips, with suggestions from the tags of other links. */
import { useId, useRef, useState } from 'preact/hooks'

import { listTags } from '../../api/many-links.js'
import { plural } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { Field } from '../../components/form.js'
import { Icon } from '../../components/icon.js'
import { parseTags, splitTyped } from './tag-text.js'

const maxSuggestions = 8

interface TagsFieldProps {
  label?: string
  tags: readonly string[]
  onChange: (tags: string[]) => void
  error: string | null
  /** Whether the form cannot be sent without a tag. */
  required?: boolean
  isFirst?: boolean
}

export function TagsField({
  label = 'Tags',
  tags,
  onChange,
  error,
  required = false,
  isFirst = false,
}: TagsFieldProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  /** Index of the suggestion that Enter adds, or -1. */
  const [active, setActive] = useState(-1)
  const [change, setChange] = useState('')
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const suggestions = useSuggestions(tags, text)
  const isShown = isOpen && suggestions.list.length > 0

  const addTags = (added: readonly string[], rest = '') => {
    setText(rest)
    setActive(-1)
    const isNew = added.filter((tag) => !tags.includes(tag))
    if (isNew.length === 0) return
    setChange(`Added ${isNew.join(', ')}`)
    onChange([...tags, ...isNew])
  }
  const removeTag = (tag: string) => {
    setChange(`Removed ${tag}`)
    onChange(tags.filter((each) => each !== tag))
    input.current?.focus()
  }
  const changeText = (typed: string) => {
    const { complete, rest } = splitTyped(typed)
    setOpen(rest.trim() !== '')
    addTags(complete, rest)
  }
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const move = (by: number) => {
    setOpen(true)
    const count = suggestions.list.length
    if (count > 0) setActive(active === -1 ? (by > 0 ? 0 : count - 1) : (active + by + count) % count)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const chosen = isShown ? suggestions.list[active]?.tag : undefined
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && chosen !== undefined) addTags([chosen])
    else if (event.key === 'Enter' && text.trim() !== '') addTags(parseTags(text))
    else if (event.key === 'Escape' && isShown) close()
    else {
      const last = tags.at(-1)
      if (event.key === 'Backspace' && text === '' && last !== undefined) removeTag(last)
      return
    }
    event.preventDefault()
    // Escape must close only the suggestions, not the dialog.
    event.stopPropagation()
  }
  return (
    <Field label={label} hint="Press Enter or a comma to add a tag." error={error}>
      {(ids) => (
        <div class="tags-field">
          <div
            class="tags-box"
            onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
          >
            {tags.map((tag) => (
              <span key={tag} class="badge chip">
                {tag}
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove ${tag}`}
                  onClick={() => removeTag(tag)}
                >
                  <Icon name="remove" />
                </button>
              </span>
            ))}
            <input
              {...ids}
              ref={input}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={isShown}
              aria-controls={isShown ? listId : undefined}
              aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
              data-first={isFirst ? '' : undefined}
              required={required && tags.length === 0}
              autocomplete="off"
              spellcheck={false}
              value={text}
              onInput={(event) => changeText(event.currentTarget.value)}
              onFocus={suggestions.load}
              onClick={() => setOpen(true)}
              onBlur={() => {
                close()
                addTags(parseTags(text))
              }}
              onKeyDown={handleKey}
            />
          </div>
          {isShown && (
            <ul id={listId} class="suggestions" role="listbox" aria-label="Suggestions">
              {suggestions.list.map(({ tag, links }, index) => (
                <li
                  key={tag}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  // Keeps the focus in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => {
                    close()
                    addTags([tag])
                  }}
                >
                  <span class="break">{tag}</span>
                  <span class="muted small-text nowrap">{plural(links, 'link')}</span>
                </li>
              ))}
            </ul>
          )}
          <span class="hidden-text" aria-live="polite">
            {change}
          </span>
        </div>
      )}
    </Field>
  )
}

/** Returns the most used tags that contain the text and are not chosen yet. */
function useSuggestions(chosen: readonly string[], text: string) {
  // Counting tags is slow with a million links, so load the tags only when the field gets the focus.
  const [isWanted, setWanted] = useState(false)
  const known = useResource(isWanted ? 'tags' : null, listTags)
  const sought = text.trim().toLowerCase()
  const list = (known.data ?? [])
    .filter(({ tag }) => !chosen.includes(tag) && tag.toLowerCase().includes(sought))
    .slice(0, maxSuggestions)
  return { list, load: () => setWanted(true) }
}

/** The command palette: searches objects and runs commands by keyboard. */
import { useEffect, useId, useState } from 'preact/hooks'

import { plural } from '../app/format.js'
import { FormError } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { useModal } from '../components/modal.js'
import { NoticeList } from '../components/notice-list.js'
import { Keys } from '../components/shortcuts-dialog.js'
import type { PaletteItem } from './commands.js'
import { useSearch } from './use-search.js'

export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const modal = useModal(onClose)
  const [text, setText] = useState('')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { items, isSearching, error } = useSearch(text)
  const groups = groupItems(items)
  const ordered = groups.flatMap(([, members]) => members)
  const activeIndex = Math.max(
    0,
    ordered.findIndex((item) => item.id === chosenId),
  )
  const active = ordered[activeIndex]
  const optionId = (item: PaletteItem) => `${id}-${ordered.indexOf(item)}`

  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])

  const runItem = (item: PaletteItem) => {
    onClose()
    item.run()
  }
  const move = (by: number) => {
    const next = ordered[(activeIndex + by + ordered.length) % ordered.length]
    setChosenId(next?.id ?? null)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && active) runItem(active)
    else return
    event.preventDefault()
  }
  return (
    <dialog {...modal} class="palette" aria-label="Command palette">
      <div class="palette-head">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search links, webhooks, IDs and commands"
          aria-expanded={ordered.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active)}
          placeholder="Search, or paste a URL or an ID"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setChosenId(null)
          }}
          onKeyDown={handleKey}
        />
        <button type="button" class="quiet icon-only" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
        {groups.map(([name, members]) => (
          <div key={name} role="group" aria-label={name}>
            <div class="palette-group" aria-hidden="true">
              {name}
            </div>
            {members.map((item) => (
              <div
                key={item.id}
                id={optionId(item)}
                class="palette-item"
                role="option"
                aria-selected={item === active}
                onPointerMove={() => setChosenId(item.id)}
                onClick={() => runItem(item)}
              >
                <Icon name={item.icon} />
                <span class="palette-title">{item.title}</span>
                {item.detail !== undefined && <span class="palette-detail muted">{item.detail}</span>}
                {item.keys !== undefined && (
                  <span class="palette-keys" aria-hidden="true">
                    <Keys keys={item.keys} />
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      <div class="palette-state muted" role="status">
        {isSearching ? (
          'Searching…'
        ) : ordered.length === 0 && error === null ? (
          'No results'
        ) : (
          <span class="hidden-text">{plural(ordered.length, 'result')}</span>
        )}
      </div>
      <FormError error={error} />
      <div class="palette-help muted small-text" aria-hidden="true">
        <span>
          <Keys keys="↑ ↓" /> move
        </span>
        <span>
          <Keys keys="Enter" /> open
        </span>
        <span>
          <Keys keys="Esc" /> close
        </span>
      </div>
      <NoticeList modal={modal.ref} />
    </dialog>
  )
}

/** Groups the items in the order of the first item of each group. */
function groupItems(items: readonly PaletteItem[]): [PaletteItem['group'], PaletteItem[]][] {
  const groups = new Map<PaletteItem['group'], PaletteItem[]>()
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item])
  return [...groups]
}

import { shortcutGroups } from '../app/shortcuts.js'
import { Dialog } from './dialog.js'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="stack">
        {shortcutGroups.map(([title, shortcuts]) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl class="facts shortcuts">
              {shortcuts.map(({ keys, description }) => [
                <dt key={keys}>
                  <Keys keys={keys} />
                </dt>,
                <dd key={description}>{description}</dd>,
              ])}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** Shows each key of a shortcut as a key cap. */
export function Keys({ keys }: { keys: string }) {
  return (
    <>
      {keys
        .split(' ')
        .map((key) =>
          key === 'then' || key === 'or' ? <span key={key}> {key} </span> : <kbd key={key}>{key}</kbd>,
        )}
    </>
  )
}

import { isPortal } from '../app/base.js'
import { dismiss, notices } from '../app/notices.js'
import { CopyButton } from './basics.js'

export function NoticeList() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, snippet, isError, undo }) => (
        <div key={id} class={`notice ${isError ? 'bad' : ''} ${undo ? 'can-undo' : ''}`}>
          <span>{text}</span>
          {undo && (
            <button type="button" class="small primary" onClick={undo}>
              Undo
            </button>
          )}
          {snippet && !isPortal && <CopyButton small text={snippet.curl} label="Copy as curl" />}
          {snippet && !isPortal && <CopyButton small text={snippet.typescript} label="Copy as TypeScript" />}
          <button
            type="button"
            class="quiet small"
            aria-label="Dismiss notification"
            onClick={() => dismiss(id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  )
}

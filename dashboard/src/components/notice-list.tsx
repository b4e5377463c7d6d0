import { useState } from 'preact/hooks'

import { isPortal } from '../app/base.js'
import { dismiss, notices } from '../app/notices.js'
import type { Notice } from '../app/notices.js'
import { CopyButton } from './basics.js'
import { isTopmost } from './modal.js'
import type { ModalRef } from './modal.js'

/**
 * The notices, of the page or of a dialog. An open dialog covers and blocks the page, so the topmost dialog shows the
 * notices.
 */
export function NoticeList({ modal }: { modal?: ModalRef }) {
  return (
    <div class="notices" role="status" aria-live="polite">
      {isTopmost(modal) && notices.value.map((notice) => <NoticeRow key={notice.id} {...notice} />)}
    </div>
  )
}

function NoticeRow({ id, text, snippet, isError, undo, createdAt }: Notice) {
  // A notice that moves into a dialog continues to show its remaining time.
  const [age] = useState(() => Date.now() - createdAt)
  return (
    <div
      class={`notice ${isError ? 'bad' : ''} ${undo ? 'can-undo' : ''}`}
      style={{ animationDelay: `-${age}ms` }}
    >
      <span>{text}</span>
      {undo && (
        <button type="button" class="small primary" onClick={undo}>
          Undo
        </button>
      )}
      {snippet && !isPortal && <CopyButton small text={snippet.curl} label="Copy as curl" />}
      {snippet && !isPortal && <CopyButton small text={snippet.typescript} label="Copy as TypeScript" />}
      <button type="button" class="quiet small" aria-label="Dismiss notification" onClick={() => dismiss(id)}>
        ✕
      </button>
    </div>
  )
}

import { discardQuestion } from '../app/unsaved-changes.js'
import { Dialog } from './dialog.js'

/** Asks before unsaved changes are lost. */
export function DiscardDialog() {
  const answer = discardQuestion.value
  if (!answer) return null
  return (
    <Dialog title="Discard changes?" onClose={() => answer(false)}>
      <div class="stack">
        <p>You have not saved your changes.</p>
        <div class="row end">
          <button type="button" data-first="" onClick={() => answer(false)}>
            Keep editing
          </button>
          <button type="button" class="danger" onClick={() => answer(true)}>
            Discard
          </button>
        </div>
      </div>
    </Dialog>
  )
}

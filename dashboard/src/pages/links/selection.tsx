/** Bulk actions on the selected links. Each action is one API call. */
import type { BodyOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { plural } from '../../app/format.js'
import { timeField, toTime } from '../../app/local-time.js'
import { showNotice } from '../../app/notices.js'
import { canUndoDeletion, deleteLinks } from '../../app/pending-deletions.js'
import { createSnippet } from '../../app/snippets.js'
import { CancelButton, Confirm, Dialog } from '../../components/dialog.js'
import { fieldError, FormError, TextField, useAction } from '../../components/form.js'
import { TagsField } from './tags-field.js'

interface SelectionProps {
  ids: readonly string[]
  /** The slug of a single selected link, if it is on this page. */
  slug: string | undefined
  onClear: () => void
  /** Receives the IDs of the links that could not be changed and still exist. */
  onDone: (failedIds: readonly string[]) => void
}

type BulkAction = 'tag' | 'untag' | 'expire' | 'delete' | null

export function Selection({ ids, slug, onClear, onDone }: SelectionProps) {
  const [action, setAction] = useState<BulkAction>(null)
  const [tags, setTags] = useState<string[]>([])
  const [expiry, setExpiry] = useState('')
  const changing = useAction()

  const updateSelected = (verb: string, change: Omit<BodyOf<'updateLinks'>, 'ids'>) =>
    changing.run(async () => {
      const body = { ids: [...ids], ...change, atomic: false }
      const { updated, results } = await service.links.updateMany(body)
      const failures = results.flatMap(({ index, error }) =>
        error === null ? [] : [{ id: ids[index]!, ...error }],
      )
      const reasons = [...new Set(failures.map(getFailureReason))].join(' ')
      const failedIds = failures.filter(({ code }) => code !== 'not_found').map(({ id }) => id)
      if (failures.length === ids.length && failedIds.length > 0) throw new Error(reasons)
      const done = `${verb} ${plural(updated, 'link')}`
      showNotice(
        failures.length === 0 ? `${done}.` : `${done}, ${failures.length} failed. ${reasons}`,
        createSnippet({ method: 'POST', path: '/v1/links/bulk/update', body, call: 'links.updateMany' }),
        failures.length > 0,
      )
      setAction(null)
      onDone(failedIds)
    })
  const deleteSelected = () => {
    deleteLinks(ids, slug)
    close()
    onClear()
  }
  const close = () => {
    setAction(null)
    changing.clear()
  }
  const apply = (event: Event) => {
    event.preventDefault()
    if (action === 'tag') updateSelected('Tagged', { add_tags: tags })
    if (action === 'untag') updateSelected('Removed tags from', { remove_tags: tags })
    if (action === 'expire') updateSelected('Set the expiry of', { patch: { expires_at: toTime(expiry) } })
  }
  const openDialog = (next: BulkAction) => {
    setTags([])
    setExpiry('')
    changing.clear()
    setAction(next)
  }
  return (
    <div class="selection" role="group" aria-label="Selected links">
      <b>{plural(ids.length, 'link')} selected</b>
      <button type="button" onClick={() => updateSelected('Enabled', { patch: { enabled: true } })}>
        Enable
      </button>
      <button type="button" onClick={() => updateSelected('Disabled', { patch: { enabled: false } })}>
        Disable
      </button>
      <button type="button" onClick={() => openDialog('tag')}>
        Add tags
      </button>
      <button type="button" onClick={() => openDialog('untag')}>
        Remove tags
      </button>
      <button type="button" onClick={() => openDialog('expire')}>
        Set expiry
      </button>
      <button type="button" class="danger" onClick={() => openDialog('delete')}>
        Delete
      </button>
      <button type="button" class="quiet" onClick={onClear}>
        Clear selection
      </button>
      {action === null && <FormError error={changing.error} />}
      {action === 'delete' && (
        <Confirm
          title={`Delete ${plural(ids.length, 'link')}?`}
          action={`Delete ${plural(ids.length, 'link')}`}
          onConfirm={deleteSelected}
          onClose={close}
        >
          <p>
            Visitors will get 410 Gone, and the slugs cannot be used again.{' '}
            {canUndoDeletion(ids.length) ? 'You can undo this for 10 seconds.' : 'This cannot be undone.'}
          </p>
        </Confirm>
      )}
      {action !== null && action !== 'delete' && (
        <Dialog title={titles[action]} onClose={close} isChanged={expiry !== '' || tags.length > 0}>
          <form class="stack" onSubmit={apply}>
            {action === 'expire' ? (
              <TextField
                {...timeField}
                label="Expires at"
                hint="In your time zone. Visitors get 410 Gone after this time."
                error={fieldError(changing.error, '/patch/expires_at')}
                required
                isFirst
                value={expiry}
                onInput={setExpiry}
              />
            ) : (
              <TagsField
                tags={tags}
                onChange={setTags}
                error={fieldError(changing.error, tagPointers[action])}
                required
                isFirst
              />
            )}
            <FormError error={changing.error} shown={['/patch/expires_at', ...Object.values(tagPointers)]} />
            <div class="row end">
              <CancelButton />
              <button class="primary" disabled={changing.isBusy}>
                Apply to {plural(ids.length, 'link')}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  )
}

const tagPointers = { tag: '/add_tags', untag: '/remove_tags' }
const titles = { tag: 'Add tags', untag: 'Remove tags', expire: 'Set expiry' }

function getFailureReason({ code, detail }: { code: string; detail: string }): string {
  return code === 'not_found' ? 'Deleted links cannot be changed.' : detail
}

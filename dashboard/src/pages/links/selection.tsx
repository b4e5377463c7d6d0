/** The actions on the selected links. Each is one call for all of them. */
import { NotFoundError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { deleteMany, updateMany } from '../../api/many-links.js'
import type { BulkReport, BulkUpdate } from '../../api/many-links.js'
import { plural } from '../../app/format.js'
import { say } from '../../app/notices.js'
import { snippetOf } from '../../app/snippets.js'
import { Confirm, Dialog } from '../../components/dialog.js'
import { FormError, TextField, useAction } from '../../components/form.js'
import { tagsHint, tagsOf } from './link-fields.js'

interface SelectionProps {
  ids: readonly string[]
  onClear: () => void
  onDone: () => void
}

type AskedOfLinks = 'tag' | 'untag' | 'expire' | 'delete' | null

export function Selection({ ids, onClear, onDone }: SelectionProps) {
  const [asked, setAsked] = useState<AskedOfLinks>(null)
  const [text, setText] = useState('')
  const changing = useAction()

  const run = (what: string, path: string, body: object, work: () => Promise<BulkReport>) =>
    changing.run(async () => {
      const report = await work().catch((error: unknown) => {
        if (error instanceof NotFoundError)
          throw new Error('This service does not offer calls for many links.')
        throw error
      })
      const missed = report.failed > 0 ? `, ${report.failed} could not be changed` : ''
      const call = path.endsWith('delete') ? 'links.deleteMany' : 'links.updateMany'
      say(
        `${what} ${plural(report.updated + report.deleted, 'link')}${missed}.`,
        snippetOf({ method: 'POST', path, body, call }),
        report.failed > 0,
      )
      setAsked(null)
      onDone()
    })
  const update = (what: string, change: Omit<BulkUpdate, 'ids'>) => {
    const body = { ids: [...ids], ...change }
    run(what, '/v1/links/bulk/update', body, () => updateMany(body))
  }
  const remove = () => run('Deleted', '/v1/links/bulk/delete', { ids }, () => deleteMany([...ids]))
  const close = () => {
    setAsked(null)
    changing.clear()
  }
  const apply = (event: Event) => {
    event.preventDefault()
    if (asked === 'tag') update('Tagged', { add_tags: tagsOf(text) })
    if (asked === 'untag') update('Changed the tags of', { remove_tags: tagsOf(text) })
    if (asked === 'expire')
      update('Set the expiry of', { patch: { expires_at: new Date(text).toISOString() } })
  }
  const ask = (what: AskedOfLinks) => {
    setText('')
    changing.clear()
    setAsked(what)
  }
  return (
    <div class="selection" role="group" aria-label="Selected links">
      <b>{plural(ids.length, 'link')} selected</b>
      <button type="button" onClick={() => update('Enabled', { patch: { enabled: true } })}>
        Enable
      </button>
      <button type="button" onClick={() => update('Disabled', { patch: { enabled: false } })}>
        Disable
      </button>
      <button type="button" onClick={() => ask('tag')}>
        Add tags
      </button>
      <button type="button" onClick={() => ask('untag')}>
        Remove tags
      </button>
      <button type="button" onClick={() => ask('expire')}>
        Expire
      </button>
      <button type="button" class="danger" onClick={() => ask('delete')}>
        Delete
      </button>
      <button type="button" class="quiet" onClick={onClear}>
        Clear
      </button>
      {asked === null && <FormError error={changing.error} />}
      {asked === 'delete' && (
        <Confirm
          title={`Delete ${plural(ids.length, 'link')}?`}
          action="Delete for ever"
          isBusy={changing.isBusy}
          error={<FormError error={changing.error} />}
          onConfirm={remove}
          onClose={close}
        >
          <p>Visitors get “410 Gone” from then on. The slugs are never given out again.</p>
        </Confirm>
      )}
      {asked !== null && asked !== 'delete' && (
        <Dialog title={titles[asked]} onClose={close}>
          <form class="stack" onSubmit={apply}>
            <TextField
              label={asked === 'expire' ? 'From this time on, visitors get 410' : 'Tags'}
              hint={asked !== 'expire' && tagsHint}
              type={asked === 'expire' ? 'datetime-local' : 'text'}
              required
              isFirst
              value={text}
              onInput={setText}
            />
            <FormError error={changing.error} />
            <div class="row end">
              <button class="primary" disabled={changing.isBusy || text.trim() === ''}>
                Apply to {plural(ids.length, 'link')}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  )
}

const titles = { tag: 'Add tags', untag: 'Remove tags', expire: 'Expire links' }

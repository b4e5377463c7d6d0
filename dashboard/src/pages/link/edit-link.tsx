import { etagOf, PreconditionFailedError } from '@link-service/client'
import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import type { Resource } from '../../app/resource.js'
import { snippetOf } from '../../app/snippets.js'
import { Dialog } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { bodyOf, LinkFields, linkPointers, valuesOf } from '../links/link-fields.js'
import type { LinkValues } from '../links/link-fields.js'
import { changedFields, EditConflict } from './edit-conflict.js'

interface EditLinkProps {
  link: Link
  resource: Resource<Link>
  onClose: () => void
}

/** Saves only the fields that the user edited, so a conflict never reverts another user's change. */
export function EditLink({ link, resource, onClose }: EditLinkProps) {
  const [opened, setOpened] = useState(link)
  const [values, setValues] = useState<LinkValues>(() => valuesOf(link))
  const [newest, setNewest] = useState<Link | null>(null)
  const saving = useAction()
  const before = bodyOf(valuesOf(opened))
  const edits = changedFields(bodyOf(values), before)

  const save = (version: Link) =>
    saving.run(async () => {
      if (Object.keys(edits).length === 0) return onClose()
      try {
        resource.set(await service.links.update(link.id, edits, { ifMatch: etagOf(version) }))
        const path = `/v1/links/${link.id}`
        showNotice(
          `Saved link “/${link.slug}”.`,
          snippetOf({ method: 'PATCH', path, body: edits, call: 'links.update', args: [link.id] }),
        )
        onClose()
      } catch (error) {
        if (!(error instanceof PreconditionFailedError)) throw error
        setNewest(await service.links.get(link.id))
      }
    })
  const send = (event: Event) => {
    event.preventDefault()
    save(opened)
  }
  const discardEdits = (saved: Link) => {
    setOpened(saved)
    setValues(valuesOf(saved))
    setNewest(null)
    resource.set(saved)
  }
  return (
    <Dialog title={`Edit link “/${link.slug}”`} onClose={onClose}>
      <form class="stack" onSubmit={send}>
        {newest && (
          <EditConflict
            edits={edits}
            before={before}
            saved={bodyOf(valuesOf(newest))}
            isBusy={saving.isBusy}
            onDiscard={() => discardEdits(newest)}
            onSave={() => save(newest)}
          />
        )}
        <LinkFields values={values} onChange={setValues} error={saving.error} isNew={false} />
        <FormError error={saving.error} shown={linkPointers} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={saving.isBusy || newest !== null}>
            Save changes
          </button>
        </div>
      </form>
    </Dialog>
  )
}

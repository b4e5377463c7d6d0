import { etagOf, PreconditionFailedError } from '@link-service/client'
import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import type { Resource } from '../../app/resource.js'
import { createSnippet } from '../../app/snippets.js'
import { changedValues } from '../../app/unsaved-changes.js'
import { CancelButton, Dialog } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { rememberCampaign } from '../links/campaign.js'
import { LinkFields, linkPointers, toLinkBody, toLinkValues } from '../links/link-fields.js'
import type { LinkBody, LinkValues } from '../links/link-fields.js'
import { EditConflict } from './edit-conflict.js'

interface EditLinkProps {
  link: Link
  resource: Resource<Link>
  onClose: () => void
}

/** Saves only the fields that the user edited, so a conflict never reverts another user's change. */
export function EditLink({ link, resource, onClose }: EditLinkProps) {
  const [opened, setOpened] = useState(link)
  const [values, setValues] = useState<LinkValues>(() => toLinkValues(link))
  const [newest, setNewest] = useState<Link | null>(null)
  const saving = useAction()
  const before = toLinkBody(toLinkValues(opened))
  const edits = changedValues(toLinkBody(values), before)

  const save = (version: Link, changes: Partial<LinkBody>) =>
    saving.run(async () => {
      try {
        if (Object.keys(changes).length > 0) {
          const saved = await service.links.update(link.id, changes, { ifMatch: etagOf(version) })
          resource.set(saved)
          rememberCampaign(saved.url)
          const path = `/v1/links/${link.id}`
          showNotice(
            `Saved link “/${link.slug}”.`,
            createSnippet({ method: 'PATCH', path, body: changes, call: 'links.update', args: [link.id] }),
          )
        } else if (newest) resource.set(newest)
        onClose()
      } catch (error) {
        if (!(error instanceof PreconditionFailedError)) throw error
        setNewest(await service.links.get(link.id))
      }
    })
  const isChanged = Object.keys(edits).length > 0
  const send = (event: Event) => {
    event.preventDefault()
    save(opened, edits)
  }
  const discardEdits = (saved: Link) => {
    saving.clear()
    setOpened(saved)
    setValues(toLinkValues(saved))
    setNewest(null)
    resource.set(saved)
  }
  return (
    <Dialog title={`Edit link “/${link.slug}”`} onClose={onClose} isChanged={isChanged}>
      {newest ? (
        <EditConflict
          // The choices are about the values of this version.
          key={newest.updated_at}
          edits={edits}
          before={before}
          saved={toLinkBody(toLinkValues(newest))}
          isBusy={saving.isBusy}
          error={<FormError error={saving.error} />}
          onDiscard={() => discardEdits(newest)}
          onSave={(kept) => save(newest, kept)}
        />
      ) : (
        <form class="stack" onSubmit={send}>
          <LinkFields values={values} onChange={setValues} error={saving.error} isNew={false} />
          <FormError error={saving.error} shown={linkPointers} />
          <div class="row end">
            <CancelButton />
            <button class="primary" disabled={saving.isBusy}>
              Save changes
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

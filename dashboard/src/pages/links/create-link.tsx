import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { navigate } from '../../app/router.js'
import { createSnippet } from '../../app/snippets.js'
import { isDifferent } from '../../app/unsaved-changes.js'
import { CancelButton, Dialog, useUnmountSignal } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { rememberCampaign } from './campaign.js'
import { emptyLink, LinkFields, linkPointers, toLinkBody } from './link-fields.js'
import type { LinkValues } from './link-fields.js'

interface CreateLinkProps {
  /** The values of the form when it opens. */
  suggested?: Partial<LinkValues>
  onClose: () => void
}

export function CreateLink({ suggested = {}, onClose }: CreateLinkProps) {
  const [initial] = useState<LinkValues>({ ...emptyLink, ...suggested })
  const [values, setValues] = useState(initial)
  const creating = useAction()
  const unmounted = useUnmountSignal()
  const send = (event: Event) => {
    event.preventDefault()
    creating.run(async () => {
      const slug = values.slug.trim()
      const body = { ...toLinkBody(values), ...(slug === '' ? {} : { slug }) }
      const link = await service.links.create(body)
      rememberCampaign(link.url)
      showNotice(
        `Created link “/${link.slug}”.`,
        createSnippet({ method: 'POST', path: '/v1/links', body, call: 'links.create' }),
      )
      if (unmounted.aborted) return
      // Removes the form from the history, so that Back does not open it again.
      onClose()
      navigate(`/links/${link.id}`)
    })
  }
  const isChanged = isDifferent(values, initial)
  return (
    <Dialog title="Create link" onClose={onClose} isChanged={isChanged}>
      <form class="stack" onSubmit={send}>
        <LinkFields values={values} onChange={setValues} error={creating.error} isNew />
        <FormError error={creating.error} shown={linkPointers} />
        <div class="row end">
          <CancelButton />
          <button class="primary" disabled={creating.isBusy || values.url.trim() === ''}>
            Create link
          </button>
        </div>
      </form>
    </Dialog>
  )
}

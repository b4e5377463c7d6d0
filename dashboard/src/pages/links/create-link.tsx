import { ConflictError } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import { go } from '../../app/router.js'
import { snippetOf } from '../../app/snippets.js'
import { Dialog, useGone } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { bodyOf, emptyLink, LinkFields, linkPointers } from './link-fields.js'

export function CreateLink({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState(emptyLink)
  const making = useAction()
  const gone = useGone()
  const send = (event: Event) => {
    event.preventDefault()
    making.run(async () => {
      const slug = values.slug.trim()
      const body = { ...bodyOf(values), ...(slug === '' ? {} : { slug }) }
      const link = await service.links.create(body)
      say(`Made /${link.slug}.`, snippetOf({ method: 'POST', path: '/v1/links', body, call: 'links.create' }))
      if (!gone.aborted) go(`/links/${link.id}`)
    })
  }
  const isTaken = making.error instanceof ConflictError
  return (
    <Dialog title="New link" onClose={onClose}>
      <form class="stack" onSubmit={send}>
        <LinkFields values={values} onChange={setValues} error={making.error} isNew />
        <FormError error={making.error} shown={isTaken ? [] : linkPointers} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={making.isBusy || values.url.trim() === ''}>
            Make the link
          </button>
        </div>
      </form>
    </Dialog>
  )
}

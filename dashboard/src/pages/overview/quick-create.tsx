import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { createSnippet } from '../../app/snippets.js'
import { useUnsavedChanges } from '../../app/unsaved-changes.js'
import { A, CopyButton, ExternalUrl } from '../../components/basics.js'
import { FormError, useAction } from '../../components/form.js'

/** Creates a link from a URL and shows the short URL. */
export function QuickCreate({ onCreated }: { onCreated: () => void }) {
  const [url, setUrl] = useState('')
  const [created, setCreated] = useState<Link | null>(null)
  const creating = useAction()
  useUnsavedChanges(url.trim() !== '', { isKeptOnPage: true })
  const send = (event: Event) => {
    event.preventDefault()
    creating.run(async () => {
      const body = { url: url.trim() }
      const link = await service.links.create(body)
      setCreated(link)
      setUrl('')
      onCreated()
      showNotice(
        `Created link “/${link.slug}”.`,
        createSnippet({ method: 'POST', path: '/v1/links', body, call: 'links.create' }),
      )
    })
  }
  return (
    <section class="card" aria-label="Create a short link">
      <form class="row wrap" onSubmit={send}>
        <label class="quick-label" for="url-to-shorten">
          Shorten a URL
        </label>
        <input
          id="url-to-shorten"
          class="grow"
          data-search=""
          inputMode="url"
          required
          placeholder="https://example.com"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <button class="primary" disabled={creating.isBusy}>
          Create link
        </button>
      </form>
      <FormError error={creating.error} />
      {created && (
        <div class="row wrap arrived" role="status">
          <ExternalUrl url={created.short_url} />
          <CopyButton small text={created.short_url} />
          <A to={`/links/${created.id}`}>Open link</A>
        </div>
      )}
    </section>
  )
}

import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import { snippetOf } from '../../app/snippets.js'
import { A, Address, CopyButton } from '../../components/basics.js'
import { FormError, useAction } from '../../components/form.js'

/** One field for an address, and a moment later its short address. */
export function Shorten({ onMade }: { onMade: () => void }) {
  const [url, setUrl] = useState('')
  const [made, setMade] = useState<Link | null>(null)
  const making = useAction()
  const send = (event: Event) => {
    event.preventDefault()
    making.run(async () => {
      const body = { url: url.trim() }
      const link = await service.links.create(body)
      setMade(link)
      setUrl('')
      onMade()
      say(`Made /${link.slug}.`, snippetOf({ method: 'POST', path: '/v1/links', body, call: 'links.create' }))
    })
  }
  return (
    <section class="card" aria-label="Shorten an address">
      <form class="row wrap" onSubmit={send}>
        <input
          class="grow"
          data-search=""
          inputMode="url"
          aria-label="Address to shorten"
          placeholder="https://example.com/a/long/address"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <button class="primary" disabled={making.isBusy || url.trim() === ''}>
          Shorten
        </button>
      </form>
      <FormError error={making.error} />
      {made && (
        <div class="row wrap arrived" role="status">
          <Address url={made.short_url} />
          <CopyButton small text={made.short_url} />
          <A to={`/links/${made.id}`}>Open</A>
        </div>
      )}
    </section>
  )
}

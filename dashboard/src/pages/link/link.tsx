/** One link: its clicks, how it is shared, and what it is. */
import { NotFoundError } from '@link-service/client'
import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { go, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { Address, CopyButton, PageHead, Tabs } from '../../components/basics.js'
import { Confirm } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { Loaded, Needs, NotThere } from '../../components/states.js'
import { LinkState } from '../links/links.js'
import { LinkAnalytics } from './analytics.js'
import { LinkDetails } from './details.js'
import { EditLink } from './edit-link.js'
import { LinkHistory } from './history.js'
import { LiveClicks } from './live-clicks.js'

const tabs = [
  ['', 'Clicks'],
  ['live', 'Live'],
  ['details', 'Share and details'],
  ['history', 'History'],
] as const

export function LinkPage({ id }: { id: string }) {
  const link = useResource(`link ${id}`, (signal) => service.links.get(id, { signal }), { everyMs: 30_000 })
  return (
    <Needs scope="links:read" title="Link">
      <Loaded from={link} title="Link" rows={8} absent={<NotThere what="link" back="/links" />}>
        {(found) => <Found link={found} resource={link} />}
      </Loaded>
    </Needs>
  )
}

function Found({ link, resource }: { link: Link; resource: Resource<Link> }) {
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const tab = queryOf('tab')
  return (
    <>
      <PageHead
        title={link.title ?? `/${link.slug}`}
        lead={
          <>
            <div class="row wrap">
              <Address url={link.short_url} />
              <CopyButton small text={link.short_url} label="Copy short address" />
              <LinkState link={link} />
            </div>
            <div>
              leads to <Address url={link.url} />
            </div>
          </>
        }
      >
        {can('links:write') && (
          <>
            <button type="button" onClick={() => setAsked('edit')}>
              Edit
            </button>
            <button type="button" class="danger" onClick={() => setAsked('delete')}>
              Delete
            </button>
          </>
        )}
      </PageHead>
      <div>
        <Tabs
          label="What is shown"
          tabs={tabs}
          current={tab}
          onPick={(value) => setQuery({ tab: value }, { replace: true })}
        />
      </div>
      {tab === '' && (
        <Needs scope="clicks:read">
          <LinkAnalytics link={link} />
        </Needs>
      )}
      {tab === 'live' && (
        <Needs scope="clicks:read">
          <LiveClicks linkId={link.id} />
        </Needs>
      )}
      {tab === 'details' && <LinkDetails link={link} />}
      {tab === 'history' && <LinkHistory id={link.id} />}
      {asked === 'edit' && <EditLink link={link} resource={resource} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteLink link={link} onClose={() => setAsked(null)} />}
    </>
  )
}

function DeleteLink({ link, onClose }: { link: Link; onClose: () => void }) {
  const deleting = useAction()
  const run = () =>
    deleting.run(async () => {
      await service.links.delete(link.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error // Somebody else has deleted it already.
      })
      const path = `/v1/links/${link.id}`
      say(
        `Deleted /${link.slug}.`,
        snippetOf({ method: 'DELETE', path, call: 'links.delete', args: [link.id] }),
      )
      go('/links')
    })
  return (
    <Confirm
      title={`Delete /${link.slug}?`}
      action="Delete for ever"
      isBusy={deleting.isBusy}
      error={<FormError error={deleting.error} />}
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Visitors get “410 Gone” from then on, and the slug is never given out again. To stop it for a while,
        disable the link instead.
      </p>
    </Confirm>
  )
}

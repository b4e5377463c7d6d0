/** One link: clicks, details and history. */
import { NotFoundError } from '@link-service/client'
import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { navigate, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
import { CopyButton, ExternalUrl, PageHead, Tabs } from '../../components/basics.js'
import { Confirm } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { Loaded, NotFound, RequireScope } from '../../components/states.js'
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
    <RequireScope scope="links:read" title="Link">
      <Loaded from={link} title="Link" rows={8} absent={<NotFound what="link" back="/links" />}>
        {(data) => <LoadedLink link={data} resource={link} />}
      </Loaded>
    </RequireScope>
  )
}

function LoadedLink({ link, resource }: { link: Link; resource: Resource<Link> }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const tab = queryOf('tab')
  return (
    <>
      <PageHead
        title={link.title ?? `/${link.slug}`}
        lead={
          <>
            <div class="row wrap">
              <ExternalUrl url={link.short_url} />
              <CopyButton small text={link.short_url} label="Copy short URL" />
              <LinkState link={link} />
            </div>
            <div>
              redirects to <ExternalUrl url={link.url} />
            </div>
          </>
        }
      >
        {can('links:write') && (
          <>
            <button type="button" onClick={() => setDialog('edit')}>
              Edit
            </button>
            <button type="button" class="danger" onClick={() => setDialog('delete')}>
              Delete
            </button>
          </>
        )}
      </PageHead>
      <div>
        <Tabs
          label="View"
          tabs={tabs}
          current={tab}
          onPick={(value) => setQuery({ tab: value }, { replace: true })}
        />
      </div>
      {tab === '' && (
        <RequireScope scope="clicks:read">
          <LinkAnalytics link={link} />
        </RequireScope>
      )}
      {tab === 'live' && (
        <RequireScope scope="clicks:read">
          <LiveClicks linkId={link.id} />
        </RequireScope>
      )}
      {tab === 'details' && <LinkDetails link={link} />}
      {tab === 'history' && <LinkHistory id={link.id} />}
      {dialog === 'edit' && <EditLink link={link} resource={resource} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && <DeleteLink link={link} onClose={() => setDialog(null)} />}
    </>
  )
}

function DeleteLink({ link, onClose }: { link: Link; onClose: () => void }) {
  const deleting = useAction()
  const deleteLink = () =>
    deleting.run(async () => {
      await service.links.delete(link.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error // Already deleted.
      })
      const path = `/v1/links/${link.id}`
      showNotice(
        `Deleted link “/${link.slug}”.`,
        snippetOf({ method: 'DELETE', path, call: 'links.delete', args: [link.id] }),
      )
      navigate('/links')
    })
  return (
    <Confirm
      title={`Delete link “/${link.slug}”?`}
      action="Delete link"
      isBusy={deleting.isBusy}
      error={<FormError error={deleting.error} />}
      onConfirm={deleteLink}
      onClose={onClose}
    >
      <p>
        Visitors will get 410 Gone, and the slug cannot be used again. This cannot be undone. To stop the link
        temporarily, disable it instead.
      </p>
    </Confirm>
  )
}

/** One link: clicks, details and history. */
import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { safeUrl } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { deleteLinks, isDeleted } from '../../app/pending-deletions.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { getQueryParameter, navigate, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { createSnippet } from '../../app/snippets.js'
import { A, Badge, CopyButton, ExternalUrl, PageHead, Tabs } from '../../components/basics.js'
import { Confirm } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { MoreMenu } from '../../components/more-menu.js'
import { Empty, Loaded, NotFound, RequireScope } from '../../components/states.js'
import { CreateLink } from '../links/create-link.js'
import { toLinkValues } from '../links/link-fields.js'
import { LinkState } from '../links/link-state.js'
import { LinkAnalytics } from './analytics.js'
import { LinkDetails } from './details.js'
import { EditLink } from './edit-link.js'
import { LinkHistory } from './history.js'
import { LiveClicks } from './live-clicks.js'

const tabs = [
  ['', 'Clicks'],
  ['live', 'Live'],
  ['details', 'QR code & details'],
  ['history', 'History'],
] as const

export function LinkPage({ id }: { id: string }) {
  const isLinkDeleted = isDeleted(id)
  const link = useResource(
    isLinkDeleted ? null : `link ${id}`,
    (signal) => service.links.get(id, { signal }),
    { everyMs: 30_000 },
  )
  return (
    <RequireScope scope="links:read" title="Link">
      {isLinkDeleted ? (
        <DeletedLink />
      ) : (
        <Loaded from={link} title="Link" rows={8} absent={<NotFound what="link" back="/links" />}>
          {(data) => <LoadedLink key={id} link={data} resource={link} />}
        </Loaded>
      )}
    </RequireScope>
  )
}

function DeletedLink() {
  return (
    <>
      <PageHead title="Link" />
      <Empty title="This link was deleted">
        <A to="/links">Back to the list</A>
      </Empty>
    </>
  )
}

function LoadedLink({ link, resource }: { link: Link; resource: Resource<Link> }) {
  const [dialog, setDialog] = useState<'edit' | 'duplicate' | 'delete' | null>(null)
  const changing = useAction()
  const tab = getQueryParameter('tab')
  const openTab = (next: string) => {
    // Both the charts and the history have a time range, but not the same one.
    const isOtherRange = (next === 'history') !== (tab === 'history')
    setQuery({ tab: next, ...(isOtherRange ? { from: null, to: null } : {}) }, { replace: true })
  }
  const setEnabled = (enabled: boolean) =>
    changing.run(async () => {
      const body = { enabled }
      resource.set(await service.links.update(link.id, body))
      const path = `/v1/links/${link.id}`
      showNotice(
        `${enabled ? 'Enabled' : 'Disabled'} link “/${link.slug}”.`,
        createSnippet({ method: 'PATCH', path, body, call: 'links.update', args: [link.id] }),
      )
    })
  return (
    <>
      <PageHead title={link.title ?? `/${link.slug}`} up={[['/links', 'Links']]} lead={<Lead link={link} />}>
        <CopyButton isPrimary text={link.short_url} label="Copy short URL" />
        {can('links:write') && (
          <>
            <button type="button" onClick={() => setDialog('edit')}>
              Edit
            </button>
            <MoreMenu>
              <A to={`/links/${link.id}?tab=details`}>QR code</A>
              <button type="button" disabled={changing.isBusy} onClick={() => setEnabled(!link.enabled)}>
                {link.enabled ? 'Disable' : 'Enable'}
              </button>
              <button type="button" onClick={() => setDialog('duplicate')}>
                Duplicate
              </button>
              {can('events:read') && <A to={`/events?link_id=${link.id}`}>View events</A>}
              <button type="button" class="danger" onClick={() => setDialog('delete')}>
                Delete
              </button>
            </MoreMenu>
          </>
        )}
      </PageHead>
      <FormError error={changing.error} />
      <Tabs isView label="View" tabs={tabs} current={tab} onPick={openTab} />
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
      {dialog === 'duplicate' && (
        <CreateLink
          suggested={{ ...toLinkValues(link), slug: '', expires: '' }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && <DeleteLink link={link} onClose={() => setDialog(null)} />}
    </>
  )
}

/** The short URL and its destination. */
function Lead({ link }: { link: Link }) {
  const shortUrl = link.short_url
  return (
    <>
      <div class="row wrap">
        <a class="short-url break" href={safeUrl(shortUrl) ?? ''} target="_blank" rel="noreferrer noopener">
          {shortUrl.replace(/^https?:\/\//, '')}
        </a>
        <LinkState link={link} />
      </div>
      <div class="row wrap">
        <div class="destination" title={link.url}>
          →&nbsp;
          <ExternalUrl url={link.url} />
        </div>
        {link.tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </div>
    </>
  )
}

function DeleteLink({ link, onClose }: { link: Link; onClose: () => void }) {
  const deleteLink = () => {
    deleteLinks([link.id], link.slug)
    navigate('/links')
  }
  return (
    <Confirm
      title={`Delete link “/${link.slug}”?`}
      action="Delete link"
      onConfirm={deleteLink}
      onClose={onClose}
    >
      <p>
        Visitors will get 410 Gone, and the slug cannot be used again. You can undo this for 10 seconds. To
        stop the link temporarily, disable it instead.
      </p>
    </Confirm>
  )
}

/** The list of links, with search, filters and bulk actions. */
import type { Link } from '@link-service/client'
import { useEffect, useRef, useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { deletedIds, hiddenIds } from '../../app/pending-deletions.js'
import { queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, Badge, CopyButton, Mark, PageHead, Table, Time } from '../../components/basics.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { CreateLink } from './create-link.js'
import { LinkFilters, linkFiltersFromUrl } from './filters.js'
import { ImportLinks } from './import-links.js'
import { Selection } from './selection.js'

const pageSize = 50

export function Links() {
  const dialog = queryOf('new')
  // Counts the imports, each of which may have changed the list.
  const [imports, setImports] = useState(0)
  const open = (value: string | null) => setQuery({ new: value }, { replace: true })
  return (
    <>
      <PageHead title="Links" lead="Short URLs and their destinations.">
        {can('links:write') && (
          <>
            <button type="button" onClick={() => open('many')}>
              Import links
            </button>
            <button type="button" class="primary" data-new="" onClick={() => open('1')}>
              Create link
            </button>
          </>
        )}
      </PageHead>
      <RequireScope scope="links:read">
        <LinkList key={imports} />
      </RequireScope>
      {dialog === '1' && <CreateLink onClose={() => open(null)} />}
      {dialog === 'many' && (
        <ImportLinks onImported={() => setImports((count) => count + 1)} onClose={() => open(null)} />
      )}
    </>
  )
}

function LinkList() {
  const filters = linkFiltersFromUrl()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const links = usePages(`links ${JSON.stringify(filters)}`, (cursor, signal) =>
    service.links.list({ ...filters, limit: pageSize }, { signal }).page(cursor),
  )
  const hidden = hiddenIds.value
  const deleted = useRef(deletedIds.value)
  useEffect(() => {
    if (deleted.current !== deletedIds.value) links.reload()
    deleted.current = deletedIds.value
  }, [deletedIds.value])
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort')
  const toggle = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(selected)
    for (const id of ids)
      if (isOn) next.add(id)
      else next.delete(id)
    setSelected(next)
  }
  return (
    <>
      <LinkFilters />
      <Loaded from={links} rows={10}>
        {(page) =>
          page.data.length === 0 ? (
            <NoLinks isFiltered={isFiltered} />
          ) : (
            <>
              <LinkTable
                links={page.data.filter(({ id }) => !hidden.has(id))}
                selected={selected}
                onToggle={toggle}
              />
              <Pager page={page} />
            </>
          )
        }
      </Loaded>
      {selected.size > 0 && (
        <Selection
          ids={[...selected]}
          slug={links.data?.data.find(({ id }) => selected.size === 1 && selected.has(id))?.slug}
          onClear={() => setSelected(new Set())}
          onDone={() => {
            setSelected(new Set())
            links.reload()
          }}
        />
      )}
    </>
  )
}

function NoLinks({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return <Empty title="No links yet">Create your first link, or import links from another service.</Empty>
  return (
    <Empty title="No links match these filters">
      <A to="/links">Show all links</A>
    </Empty>
  )
}

interface LinkTableProps {
  links: readonly Link[]
  selected: ReadonlySet<string>
  onToggle: (ids: readonly string[], isOn: boolean) => void
}

function LinkTable({ links, selected, onToggle }: LinkTableProps) {
  if (links.length === 0) return <Empty title="All links on this page were deleted" />
  const canEdit = can('links:write')
  const ids = links.map(({ id }) => id)
  const areAllSelected = ids.every((id) => selected.has(id))
  const selectAll = (
    <input
      type="checkbox"
      aria-label={`Select all ${ids.length} links on this page`}
      checked={areAllSelected}
      onChange={() => onToggle(ids, !areAllSelected)}
    />
  )
  const maxClicks = Math.max(1, ...links.map(({ clicks }) => clicks.total))
  return (
    <Table
      label="Links"
      head={[
        ...(canEdit ? [{ text: 'Selected', class: 'select', content: selectAll }] : []),
        'Link',
        { text: 'Destination', class: 'wide-only' },
        { text: 'Tags', class: 'wide-only' },
        { text: 'All clicks', class: 'num' },
        { text: 'Human clicks', class: 'num wide-only' },
        { text: 'Last click', class: 'wide-only' },
        { text: 'Created', class: 'wide-only' },
      ]}
    >
      {links.map((link) => (
        <tr key={link.id} class={selected.has(link.id) ? 'chosen' : ''}>
          {canEdit && (
            <td class="select">
              <input
                type="checkbox"
                aria-label={`Select ${link.slug}`}
                checked={selected.has(link.id)}
                onChange={(event) => onToggle([link.id], event.currentTarget.checked)}
              />
            </td>
          )}
          <td>
            <div class="row">
              <Mark url={link.url} />
              <A row to={`/links/${link.id}`} class="clip name">
                /{link.slug}
              </A>
              <CopyButton isIcon text={link.short_url} label={`Copy ${link.short_url}`} />
              <LinkState link={link} />
            </div>
            <div class="narrow-only clip small-text muted">{link.title ?? shortenForDisplay(link.url)}</div>
          </td>
          <td class="wide-only">
            <span class="clip" title={link.url}>
              {link.title !== null && <>{link.title} </>}
              <span class="muted">{shortenForDisplay(link.url)}</span>
            </span>
          </td>
          <td class="wide-only">
            <div class="row">
              {link.tags.map((tag) => (
                <A key={tag} to={`/links?tag=${encodeURIComponent(tag)}`}>
                  <Badge>{tag}</Badge>
                </A>
              ))}
            </div>
          </td>
          <td class="num">
            <span class="meter" style={{ '--share': String(link.clicks.total / maxClicks) }}>
              {formatNumber(link.clicks.total)}
            </span>
          </td>
          <td class="num muted wide-only">{formatNumber(link.clicks.human)}</td>
          <td class="muted wide-only">
            <Time at={link.last_clicked_at} />
          </td>
          <td class="muted wide-only">
            <Time at={link.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Returns the URL without scheme, `www.` and trailing slash. */
function shortenForDisplay(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
}

export function LinkState({ link }: { link: Link }) {
  if (!link.enabled) return <Badge tone="warn">disabled</Badge>
  if (link.expires_at === null) return null
  return Date.parse(link.expires_at) <= Date.now() ? (
    <Badge tone="bad">expired</Badge>
  ) : (
    <Badge>expires</Badge>
  )
}

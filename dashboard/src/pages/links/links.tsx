/** The list of links, with search, filters and bulk actions. */
import type { Link } from '@link-service/client'
import { useEffect, useRef, useState } from 'preact/hooks'

import { exportUrl } from '../../api/many-links.js'
import { service } from '../../api/client.js'
import { deletedIds, hiddenIds } from '../../app/pending-deletions.js'
import { getQueryParameter, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { A, PageHead } from '../../components/basics.js'
import { Pager, usePages } from '../../components/pager.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { List } from '../../lists/list.js'
import { CreateLink } from './create-link.js'
import { LinkFilters, linkFiltersFromUrl } from './filters.js'
import { importCount, ImportLinks } from './import-links.js'
import { linkColumns, linkListName, shortenForDisplay } from './link-columns.js'
import { Selection } from './selection.js'

const pageSize = 50

export function Links() {
  const dialog = getQueryParameter('new')
  const open = (value: string | null) => setQuery({ new: value, url: null }, { replace: true })
  return (
    <>
      <PageHead title="Links" lead="Short URLs and their destinations.">
        {can('links:read') && (
          <a
            class="button wide-only"
            href={exportUrl('csv', linkFiltersFromUrl() as Record<string, string>)}
            download="links.csv"
          >
            Export CSV
          </a>
        )}
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
        <LinkList key={importCount.value} />
      </RequireScope>
      {dialog === '1' && (
        <CreateLink suggested={{ url: getQueryParameter('url') }} onClose={() => open(null)} />
      )}
      {dialog === 'many' && <ImportLinks onClose={() => open(null)} />}
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
              <Rows
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
          onDone={(failedIds) => {
            setSelected(new Set(failedIds))
            links.reload()
          }}
        />
      )}
    </>
  )
}

interface RowsProps {
  links: readonly Link[]
  selected: ReadonlySet<string>
  onToggle: (ids: readonly string[], isOn: boolean) => void
}

function Rows({ links, selected, onToggle }: RowsProps) {
  if (links.length === 0) return <Empty title="All links on this page were deleted" />
  return (
    <List
      name={linkListName}
      label="Links"
      columns={linkColumns}
      rows={links}
      getRowKey={({ id }) => id}
      summary={({ title, url }) => title ?? shortenForDisplay(url)}
      selection={
        can('links:write') ? { selected, getRowLabel: ({ slug }) => `Select ${slug}`, onToggle } : undefined
      }
    />
  )
}

function NoLinks({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return <Empty title="No links yet">Create your first link, or import links from another service.</Empty>
  return (
    <Empty title="No links match these filters">
      <A to="/links" class="button small">
        Clear filters
      </A>
    </Empty>
  )
}

/** The links with the most clicks. */
import { getAnalytics } from '../../api/click-figures.js'
import { queryOfPeriod } from '../../api/periods.js'
import type { Period } from '../../api/periods.js'
import { service } from '../../api/client.js'
import { useResource } from '../../app/resource.js'
import { base } from '../../app/router.js'
import { refreshMs } from '../../clicks/breakdown.js'
import type { ClickFilters } from '../../clicks/click-filters.js'
import { Bars } from '../../components/bars.js'
import { A, Section } from '../../components/basics.js'
import { Empty, Loaded } from '../../components/states.js'

interface TopLink {
  id: string
  /** Null for a deleted link. */
  slug: string | null
  clicks: number
}

const maxLinks = 8

export function TopLinks({ period, filters }: { period: Period; filters: ClickFilters }) {
  return (
    <LinkBars
      name={`overview top ${JSON.stringify([period, filters])}`}
      load={async (signal) => {
        const query = { ...filters, ...queryOfPeriod(period), group_by: 'link', limit: maxLinks } as const
        const { data } = await getAnalytics(null, query, signal)
        return data.map(({ key, slug, clicks }) => ({ id: key ?? '', slug: slug ?? null, clicks }))
      }}
    />
  )
}

/** The top links for a token that can read link counters but not clicks. */
export function TopLinksOfAllTime() {
  return (
    <Section title="Top links" actions={<A to="/links?sort=-clicks">All links</A>}>
      <LinkBars
        name="overview top"
        load={async (signal) => {
          const { data } = await service.links.list({ sort: '-clicks', limit: maxLinks }, { signal }).page()
          return data.map(({ id, slug, clicks }) => ({ id, slug, clicks: clicks.total }))
        }}
      />
    </Section>
  )
}

function LinkBars({ name, load }: { name: string; load: (signal: AbortSignal) => Promise<TopLink[]> }) {
  const top = useResource(name, load, { everyMs: refreshMs })
  return (
    <Loaded from={top} rows={maxLinks}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No clicks yet">Share a short link to see it here.</Empty>
        ) : (
          <Bars
            label="Link"
            unit="Clicks"
            rows={rows.map(({ id, slug, clicks }) => ({
              key: id,
              label: slug === null ? 'Deleted link' : `/${slug}`,
              count: clicks,
              ...(slug === null ? {} : { href: `${base}/links/${id}` }),
            }))}
          />
        )
      }
    </Loaded>
  )
}

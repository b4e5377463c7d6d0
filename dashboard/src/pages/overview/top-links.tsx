/** The links with the most clicks. */
import { getAnalytics } from '../../api/click-figures.js'
import { countBots, measureNames } from '../../api/click-measures.js'
import type { Measure } from '../../api/click-measures.js'
import { getPeriodQuery } from '../../api/periods.js'
import { service } from '../../api/client.js'
import { hiddenIds } from '../../app/pending-deletions.js'
import { useResource } from '../../app/resource.js'
import { base } from '../../app/base.js'
import { getMeasureSort, maxRows, refreshMs } from '../../clicks/breakdown.js'
import type { Selection } from '../../clicks/breakdown.js'
import { Bars } from '../../components/bars.js'
import { A, Section } from '../../components/basics.js'
import { Empty, Loaded } from '../../components/states.js'

interface TopLink {
  id: string
  /** Null for a deleted link. */
  slug: string | null
  clicks: number
  human: number
}

interface Top {
  links: readonly TopLink[]
  /** The total of the shares. */
  total?: number
}

export function TopLinks({ selection }: { selection: Selection }) {
  const { period, filters, measure } = selection
  return (
    <LinkBars
      measure={measure}
      name={`overview top ${JSON.stringify(selection)}`}
      load={async (signal) => {
        const query = { ...filters, ...getPeriodQuery(period, new Date()), ...getMeasureSort(measure) }
        const { data, totals } = await getAnalytics(
          null,
          { ...query, group_by: 'link', limit: maxRows },
          signal,
        )
        return {
          total: totals[measure],
          links: data.map(({ key, slug, ...counts }) => ({ id: key ?? '', slug: slug ?? null, ...counts })),
        }
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
        measure="clicks"
        load={async (signal) => {
          const { data } = await service.links.list({ sort: '-clicks', limit: maxRows }, { signal }).page()
          return {
            links: data.map(({ id, slug, clicks: { total, human } }) => ({ id, slug, clicks: total, human })),
          }
        }}
      />
    </Section>
  )
}

interface BarsProps {
  measure: Measure
  name: string
  load: (signal: AbortSignal) => Promise<Top>
}

function LinkBars({ measure, name, load }: BarsProps) {
  const hidden = hiddenIds.value
  const top = useResource(name, load, { everyMs: refreshMs })
  return (
    <Loaded from={top} rows={maxRows}>
      {({ links, total }) =>
        links.length === 0 ? (
          <Empty title="No clicks yet">Share a short link to see it here.</Empty>
        ) : (
          <Bars
            label="Link"
            unit={measureNames[measure]}
            {...(total === undefined ? {} : { total })}
            rows={links.map(({ slug, ...link }) => ({
              key: link.id,
              label: slug === null || hidden.has(link.id) ? 'Deleted link' : `/${slug}`,
              count: link[measure],
              aside: countBots(link),
              ...(slug === null || hidden.has(link.id) ? {} : { href: `${base}/links/${link.id}` }),
            }))}
          />
        )
      }
    </Loaded>
  )
}

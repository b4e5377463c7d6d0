/** What happens in the workspace, and a box to shorten an address at once. */
import { getAnalytics, getSeries, getToday, intervalFrom, intervals } from '../../api/analytics.js'
import { service } from '../../api/service.js'
import { formatNumber } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { base, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Bars } from '../../components/bars.js'
import { A, PageHead, Section, Tabs } from '../../components/basics.js'
import { ClicksChart } from '../../components/clicks-chart.js'
import { Change, Figure } from '../../components/figures.js'
import { Empty, Loaded, Needs } from '../../components/states.js'
import { Shorten } from './shorten.js'
import { Troubles } from './troubles.js'

const refreshMs = 60_000

export function Overview() {
  return (
    <>
      <PageHead title="Overview" />
      {can('links:write') && <Shorten />}
      <Needs scope="clicks:read">
        <Figures />
        <ClicksOverTime />
      </Needs>
      <div class="columns">
        <Section title="Top links of 30 days" actions={<A to="/links?sort=-clicks">All links</A>}>
          <Needs scope="links:read">
            <TopLinks />
          </Needs>
        </Section>
        <Section title="Webhooks in trouble" actions={<A to="/webhooks">All webhooks</A>}>
          <Needs scope="webhooks:read">
            <Troubles />
          </Needs>
        </Section>
      </div>
    </>
  )
}

/** Today, 7 and 30 days, each against the time before. */
function Figures() {
  const figures = useResource(
    'overview figures',
    (signal) =>
      Promise.all([
        getToday(signal),
        getAnalytics(null, { interval: '7d', compare: 'previous' }, signal),
        getAnalytics(null, { interval: '30d', compare: 'previous' }, signal),
      ]),
    { everyMs: refreshMs },
  )
  return (
    <Loaded from={figures} rows={2}>
      {([today, week, month]) => (
        <div class="figures">
          <Figure
            name="Clicks today"
            value={today.totals.clicks}
            note={today.previous && `${formatNumber(today.previous.clicks)} yesterday`}
          />
          <Figure
            name="Clicks in 7 days"
            value={week.totals.clicks}
            note={<Change now={week.totals.clicks} before={week.previous?.clicks} />}
          />
          <Figure
            name="Clicks in 30 days"
            value={month.totals.clicks}
            note={<Change now={month.totals.clicks} before={month.previous?.clicks} />}
          />
        </div>
      )}
    </Loaded>
  )
}

function ClicksOverTime() {
  const interval = intervalFrom(queryOf('interval'))
  const series = useResource(
    `overview series ${interval}`,
    (signal) => getSeries(null, { interval }, signal),
    { everyMs: refreshMs },
  )
  const pick = (
    <Tabs
      label="Period"
      tabs={intervals}
      current={interval}
      onPick={(value) => setQuery({ interval: value }, { replace: true })}
    />
  )
  return (
    <Section title="Clicks" actions={pick}>
      <Loaded from={series} rows={6}>
        {(answer) => (
          <>
            {answer.totals.clicks === 0 && (
              <p class="muted">No clicks in this period yet. Share a short link, and they appear here.</p>
            )}
            <ClicksChart label="Clicks" series={answer} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface TopLink {
  id: string
  /** Null for one that is gone. */
  slug: string | null
  clicks: number
}

const mostTop = 8

/** By the clicks of 30 days; for a token that may not see clicks, by all that each link ever had. */
async function topLinks(signal: AbortSignal): Promise<TopLink[]> {
  if (!can('clicks:read')) {
    const { data } = await service.links.list({ sort: '-clicks', limit: mostTop }, { signal }).page()
    return data.map(({ id, slug, clicks }) => ({ id, slug, clicks: clicks.total }))
  }
  const { data } = await getAnalytics(null, { interval: '30d', group_by: 'link', limit: mostTop }, signal)
  return data.map(({ key, slug, clicks }) => ({ id: key ?? '', slug: slug ?? null, clicks }))
}

function TopLinks() {
  const top = useResource('overview top', topLinks, { everyMs: refreshMs })
  return (
    <Loaded from={top}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No clicks yet">Shorten an address in the box above, and share it.</Empty>
        ) : (
          <Bars
            label="Link"
            unit="Clicks"
            rows={rows.map(({ id, slug, clicks }) => ({
              key: id,
              label: slug === null ? 'a deleted link' : `/${slug}`,
              count: clicks,
              ...(slug === null ? {} : { href: `${base}/links/${id}` }),
            }))}
          />
        )
      }
    </Loaded>
  )
}

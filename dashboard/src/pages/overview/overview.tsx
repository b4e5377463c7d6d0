/** What happens in the workspace, and a box to shorten an address at once. */
import { getAnalytics } from '../../api/analytics.js'
import { service } from '../../api/service.js'
import { formatNumber } from '../../app/format.js'
import { useResource } from '../../app/resource.js'
import { base, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Bars } from '../../components/bars.js'
import { A, PageHead, Section, Tabs } from '../../components/basics.js'
import { Change, Figure } from '../../components/figures.js'
import { SeriesChart } from '../../components/series-chart.js'
import { Empty, Loaded, Needs, NotOffered } from '../../components/states.js'
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
          <TopLinks />
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

const periods = [
  ['today', 'Clicks in 24 hours', '24h'],
  ['week', 'Clicks in 7 days', '7d'],
  ['month', 'Clicks in 30 days', '30d'],
] as const

function Figures() {
  const figures = useResource(
    'overview figures',
    (signal) =>
      Promise.all(
        periods.map(([, , interval]) => getAnalytics(null, { interval, compare: 'previous' }, signal)),
      ),
    { everyMs: refreshMs },
  )
  return (
    <Loaded from={figures} rows={2} absent={<NotOffered what="analytics" />}>
      {(answers) => (
        <div class="figures">
          {periods.map(([key, name], index) => {
            const answer = answers[index]
            return (
              <Figure
                key={key}
                name={name}
                value={answer?.totals.clicks ?? null}
                note={answer && <Change now={answer.totals.clicks} before={answer.previous?.clicks} />}
              />
            )
          })}
        </div>
      )}
    </Loaded>
  )
}

const spans = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

function ClicksOverTime() {
  const interval = queryOf('interval') || '30d'
  const series = useResource(
    `overview series ${interval}`,
    (signal) => getAnalytics(null, { interval, group_by: 'time' }, signal),
    { everyMs: refreshMs },
  )
  const pick = (
    <Tabs
      label="Period"
      tabs={spans}
      current={interval}
      onPick={(value) => setQuery({ interval: value }, { replace: true })}
    />
  )
  return (
    <Loaded from={series} absent={null} rows={6}>
      {({ data, totals }) => (
        <Section title="Clicks" actions={pick}>
          {totals.clicks === 0 && (
            <p class="muted">No clicks in this period yet. Share a short link, and they appear here.</p>
          )}
          <SeriesChart
            label="Clicks"
            starts={data.map((row) => row.start ?? '')}
            series={[
              { label: 'people', values: data.map((row) => row.human), tone: 'accent' },
              { label: 'with bots', values: data.map((row) => row.clicks), tone: 'muted', isDashed: true },
            ]}
          />
        </Section>
      )}
    </Loaded>
  )
}

interface TopLink {
  id: string
  slug: string
  clicks: number
}

const mostTop = 8

/** By the clicks of 30 days; where that cannot be had, by all that each link ever had. */
async function topLinks(signal: AbortSignal): Promise<{ rows: TopLink[]; total: number }> {
  if (can('clicks:read'))
    try {
      const { data, totals } = await getAnalytics(
        null,
        { interval: '30d', group_by: 'link', limit: mostTop },
        signal,
      )
      const rows = data.map((row) => ({
        id: row.key ?? '',
        slug: row.slug ?? '(deleted)',
        clicks: row.clicks,
      }))
      return { rows, total: totals.clicks }
    } catch {
      signal.throwIfAborted()
    }
  const { data } = await service.links.list({ sort: '-clicks', limit: mostTop }, { signal }).page()
  const rows = data.map(({ id, slug, clicks }) => ({ id, slug, clicks: clicks.total }))
  return { rows, total: rows.reduce((sum, row) => sum + row.clicks, 0) }
}

function TopLinks() {
  const top = useResource('overview top', topLinks, { everyMs: refreshMs })
  return (
    <Loaded from={top}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <Empty title="No links yet">Shorten your first address in the box above.</Empty>
        ) : (
          <>
            <Bars
              label="Link"
              unit="Clicks"
              total={total}
              rows={rows.map(({ id, slug, clicks }) => ({
                key: id,
                label: `/${slug}`,
                count: clicks,
                href: `${base}/links/${id}`,
              }))}
            />
            <p class="muted small-text">{formatNumber(total)} clicks in all</p>
          </>
        )
      }
    </Loaded>
  )
}

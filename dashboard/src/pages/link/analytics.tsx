/** The clicks of a link over time, and by what is known of them. */
import { NotFoundError } from '@link-service/client'
import type { Link } from '@link-service/client'

import { getAnalytics } from '../../api/analytics.js'
import type { AnalyticsRow } from '../../api/analytics.js'
import { service } from '../../api/service.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { Bars } from '../../components/bars.js'
import { Badge, Section, Table, Tabs, Time } from '../../components/basics.js'
import { Change, Figure } from '../../components/figures.js'
import { SeriesChart } from '../../components/series-chart.js'
import { Empty, Loaded } from '../../components/states.js'

const spans = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['12mo', '12 months'],
] as const

const dimensions = [
  ['country', 'Countries', 'Country'],
  ['referrer_host', 'Referrers', 'Referrer'],
  ['browser', 'Browsers', 'Browser'],
  ['os', 'Systems', 'System'],
  ['device', 'Devices', 'Device'],
  ['language', 'Languages', 'Language'],
  ['utm_campaign', 'Campaigns', 'Campaign'],
] as const

const refreshMs = 60_000

export function LinkAnalytics({ link }: { link: Link }) {
  const interval = queryOf('interval') || '30d'
  const series = useResource(
    `link series ${link.id} ${interval}`,
    (signal) => getAnalytics(link.id, { interval, group_by: 'time', compare: 'previous' }, signal),
    { everyMs: refreshMs },
  )
  const isAbsent = series.error instanceof NotFoundError
  if (isAbsent) return <LastClicks link={link} />
  return (
    <>
      <Tabs
        label="Period"
        tabs={spans}
        current={interval}
        onPick={(value) => setQuery({ interval: value }, { replace: true })}
      />
      <Loaded from={series} rows={8}>
        {({ totals, previous, data }) => (
          <>
            <div class="figures">
              <Figure
                name="People"
                value={totals.human}
                note={<Change now={totals.human} before={previous?.human} />}
              />
              <Figure name="Bots" value={totals.clicks - totals.human} note="counted apart" />
              <Figure
                name="All clicks"
                value={totals.clicks}
                note={<Change now={totals.clicks} before={previous?.clicks} />}
              />
              {totals.visitors !== null && (
                <Figure name="Visitors" value={totals.visitors} note="once a day each" />
              )}
            </div>
            <Section title="Clicks over time">
              {totals.clicks === 0 && (
                <p class="muted">No clicks in this period. Share the short address above.</p>
              )}
              <SeriesChart
                label="Clicks over time"
                starts={data.map((row) => row.start ?? '')}
                series={[
                  { label: 'people', values: data.map((row) => row.human), tone: 'accent' },
                  {
                    label: 'with bots',
                    values: data.map((row) => row.clicks),
                    tone: 'muted',
                    isDashed: true,
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
      <div class="columns">
        {dimensions.map(([name, title, one]) => (
          <Breakdown key={name} linkId={link.id} interval={interval} name={name} title={title} one={one} />
        ))}
      </div>
    </>
  )
}

interface BreakdownProps {
  linkId: string
  interval: string
  name: string
  title: string
  one: string
}

const mostRows = 8

function Breakdown({ linkId, interval, name, title, one }: BreakdownProps) {
  const rows = useResource(
    `link ${name} ${linkId} ${interval}`,
    (signal) => getAnalytics(linkId, { interval, group_by: name, limit: mostRows }, signal),
    { everyMs: refreshMs },
  )
  return (
    <Section title={title}>
      <Loaded from={rows}>
        {({ data, other, totals }) =>
          data.length === 0 ? (
            <Empty title="Nothing yet" />
          ) : (
            <Bars
              label={one}
              unit="Clicks"
              total={totals.clicks}
              rows={[
                ...data.map((row) => ({ key: row.key ?? '', label: labelOf(name, row), count: row.clicks })),
                ...(other && other.clicks > 0
                  ? [{ key: ' other', label: 'all others', count: other.clicks }]
                  : []),
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })
const countryCode = /^[A-Z]{2}$/
const languageCode = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/

/** Visitors may have sent anything: what is no code is shown as it is. */
function labelOf(dimension: string, { key }: AnalyticsRow): string {
  if (key === null || key === undefined || key === '')
    return dimension === 'referrer_host' ? 'direct' : 'unknown'
  if (dimension === 'country' && countryCode.test(key)) return regions.of(key) ?? key
  if (dimension === 'language' && languageCode.test(key)) return languages.of(key) ?? key
  return key
}

/** Where the service has no analytics: the counts of the link, and its last clicks. */
function LastClicks({ link }: { link: Link }) {
  const clicks = useResource(
    `link clicks ${link.id}`,
    (signal) => service.links.clicks(link.id, { limit: 50 }, { signal }).page(),
    { everyMs: 10_000 },
  )
  return (
    <>
      <div class="figures">
        <Figure name="People" value={link.clicks.human} note="since the link was made" />
        <Figure name="Bots" value={link.clicks.total - link.clicks.human} note="counted apart" />
        <Figure name="All clicks" value={link.clicks.total} note="since the link was made" />
      </div>
      <p class="muted">This service offers no series and breakdowns yet; these are the last clicks.</p>
      <Loaded from={clicks}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No clicks yet">Share the short address above, and they appear here.</Empty>
          ) : (
            <Table
              label="Last clicks"
              head={['When', 'Country', 'Referrer', 'Browser', 'System', 'Device', 'Kind']}
            >
              {data.map((click) => (
                <tr key={click.id}>
                  <td>
                    <Time at={click.occurred_at} />
                  </td>
                  <td>{click.country ?? '–'}</td>
                  <td>
                    <span class="clip">{click.referrer_host ?? 'direct'}</span>
                  </td>
                  <td>{click.browser ?? '–'}</td>
                  <td>{click.os ?? '–'}</td>
                  <td>{click.device ?? '–'}</td>
                  <td>{click.bot ? <Badge>bot</Badge> : 'person'}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </>
  )
}

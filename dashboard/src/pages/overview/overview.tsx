/** What happens in the workspace, and a box to shorten an address at once. */
import { getAnalytics, getToday } from '../../api/click-figures.js'
import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { retryFailed, useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { refreshMs } from '../../clicks/breakdown.js'
import { A, PageHead, Section } from '../../components/basics.js'
import { Change, Figure } from '../../components/figures.js'
import { Failure, Needs } from '../../components/states.js'
import { FirstSteps } from './first-steps.js'
import { PeriodClicks } from './period-clicks.js'
import { Shorten } from './shorten.js'
import { TopLinksOfAllTime } from './top-links.js'
import { Troubles } from './troubles.js'

export function Overview() {
  const newest = useResource(can('links:read') ? 'newest link' : null, (signal) =>
    service.links.list({ limit: 1 }, { signal }).page(),
  )
  // A workspace without links shows first steps, because empty charts would hide what to do.
  const isNew = newest.data?.data.length === 0 && can('links:write')
  return (
    <>
      <PageHead title="Overview" />
      {can('links:write') && <Shorten onMade={newest.reload} />}
      {isNew ? (
        <FirstSteps />
      ) : (
        <Needs scope="clicks:read">
          <Figures />
          <PeriodClicks />
        </Needs>
      )}
      {!isNew && !can('clicks:read') && can('links:read') && <TopLinksOfAllTime />}
      {!isNew && (
        <Section title="Webhooks in trouble" actions={<A to="/webhooks">All webhooks</A>}>
          <Needs scope="webhooks:read">
            <Troubles />
          </Needs>
        </Section>
      )}
    </>
  )
}

/** The figures of today, of 7 and of 30 days, each against the period before. */
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
  // The names of the figures are there before the numbers, so that nothing moves when these come.
  const [today, week, month] = figures.data ?? []
  if (figures.data === null && figures.error !== null)
    return <Failure error={figures.error} onRetry={retryFailed} />
  return (
    <>
      {figures.error !== null && <Failure error={figures.error} onRetry={retryFailed} />}
      <div class="figures">
        <Figure
          name="Clicks today"
          value={today?.totals.clicks}
          note={today?.previous && `${formatNumber(today.previous.clicks)} yesterday`}
        />
        <Figure
          name="Clicks in 7 days"
          value={week?.totals.clicks}
          note={week && <Change now={week.totals.clicks} before={week.previous?.clicks} />}
        />
        <Figure
          name="Clicks in 30 days"
          value={month?.totals.clicks}
          note={month && <Change now={month.totals.clicks} before={month.previous?.clicks} />}
        />
      </div>
    </>
  )
}

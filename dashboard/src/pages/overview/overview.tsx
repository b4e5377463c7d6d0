/** The overview of the workspace, with a form that creates a link. */
import { getAnalytics, getToday } from '../../api/click-figures.js'
import { service } from '../../api/client.js'
import { formatNumber } from '../../app/format.js'
import { retryFailed, useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { refreshMs } from '../../clicks/breakdown.js'
import { A, PageHead, Section } from '../../components/basics.js'
import { Change, Figure } from '../../components/figures.js'
import { Failure, RequireScope } from '../../components/states.js'
import { FirstSteps } from './first-steps.js'
import { PeriodClicks } from './period-clicks.js'
import { QuickCreate } from './quick-create.js'
import { TopLinksOfAllTime } from './top-links.js'
import { FailingWebhooks } from './failing-webhooks.js'

export function Overview() {
  const newest = useResource(can('links:read') ? 'newest link' : null, (signal) =>
    service.links.list({ limit: 1 }, { signal }).page(),
  )
  // Without links, show the first steps instead of empty charts.
  const isNew = newest.data?.data.length === 0 && can('links:write')
  return (
    <>
      <PageHead title="Overview" />
      {can('links:write') && <QuickCreate onCreated={newest.reload} />}
      {isNew ? (
        <FirstSteps />
      ) : (
        <RequireScope scope="clicks:read">
          <Figures />
          <PeriodClicks />
        </RequireScope>
      )}
      {!isNew && !can('clicks:read') && can('links:read') && <TopLinksOfAllTime />}
      {!isNew && (
        <Section title="Failing webhooks" actions={<A to="/webhooks">All webhooks</A>}>
          <RequireScope scope="webhooks:read">
            <FailingWebhooks />
          </RequireScope>
        </Section>
      )}
    </>
  )
}

/** Click totals, each compared with the previous period. */
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
  // Render the names before the numbers are loaded, so that the layout does not shift.
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
          name="Clicks, last 7 days"
          value={week?.totals.clicks}
          note={week && <Change now={week.totals.clicks} before={week.previous?.clicks} />}
        />
        <Figure
          name="Clicks, last 30 days"
          value={month?.totals.clicks}
          note={month && <Change now={month.totals.clicks} before={month.previous?.clicks} />}
        />
      </div>
    </>
  )
}

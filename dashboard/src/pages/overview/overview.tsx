/** The overview of the workspace, with a form that creates a link. */
import { useAllLoaded } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { ClickAnalytics } from '../../clicks/click-analytics.js'
import { A, PageHead, Section } from '../../components/basics.js'
import { RequireScope } from '../../components/states.js'
import { DeliveryPause, useDeliveryState } from '../webhooks/delivery-pause.js'
import { Onboarding, useFirstSteps } from './onboarding.js'
import { QuickCreate } from './quick-create.js'
import { TopLinks, TopLinksOfAllTime } from './top-links.js'
import { useWebhooks, WebhooksInTrouble } from './webhooks-in-trouble.js'

/** The longest wait for the parts above the charts. */
const maxWaitMs = 1_000

export function Overview() {
  const firstSteps = useFirstSteps()
  const webhooks = useWebhooks()
  const deliveryState = useDeliveryState()
  const isShown = useAllLoaded([firstSteps.resource, webhooks, deliveryState], maxWaitMs)
  const { steps, done } = firstSteps
  // Without links, the checklist is shown instead of empty charts.
  const isNew = done !== null && steps.includes('link') && !done.has('link')
  return (
    <>
      <PageHead title="Overview" />
      {/* The charts load while they are hidden. */}
      <div class={isShown ? 'parts' : 'parts is-hidden'}>
        <DeliveryPause from={deliveryState} />
        <WebhooksInTrouble webhooks={webhooks} />
        {can('links:write') && <QuickCreate onCreated={firstSteps.resource.reload} />}
        <Onboarding {...firstSteps} />
        {!isNew && (
          <RequireScope scope="clicks:read">
            <ClickAnalytics
              linkId={null}
              emptyHint="No clicks in this period. Choose a longer period or share a link."
            >
              {(selection) => (
                <Section title="Top links" actions={<A to="/links?sort=-clicks">All links</A>}>
                  <RequireScope scope="links:read">
                    <TopLinks selection={selection} />
                  </RequireScope>
                </Section>
              )}
            </ClickAnalytics>
          </RequireScope>
        )}
        {!isNew && !can('clicks:read') && can('links:read') && <TopLinksOfAllTime />}
      </div>
    </>
  )
}

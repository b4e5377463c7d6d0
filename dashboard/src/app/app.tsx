/** Selects the page for the current path. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { Failure, Loading } from '../components/states.js'
import { NoticeList } from '../components/notice-list.js'
import { A, PageHead } from '../components/basics.js'
import { Overview } from '../pages/overview/overview.js'
import { EventPage } from '../pages/events/event.js'
import { Events } from '../pages/events/events.js'
import { LinkPage } from '../pages/link/link.js'
import { Links } from '../pages/links/links.js'
import { Notices } from '../pages/notices/notices-page.js'
import { AuditLog } from '../pages/settings/audit-log.js'
import { Service } from '../pages/settings/service.js'
import { SignIn, SignInAgain } from '../pages/sign-in.js'
import { Tokens } from '../pages/tokens/tokens.js'
import { DeliveryPage } from '../pages/webhook/delivery.js'
import { WebhookPage } from '../pages/webhook/webhook.js'
import { Webhooks } from '../pages/webhooks/webhooks.js'
import { PortalEnded } from '../pages/portal-ended.js'
import { isPortal } from './base.js'
import { instanceName } from './branding.js'
import { openPalette } from './overlay.js'
import { PortalShell } from './portal-shell.js'
import { portalHome } from './portal.js'
import { match, place } from './router.js'
import { isSignedIn, me } from './session-state.js'
import { isUnauthorized, startError, startSession } from './session.js'
import { Shell } from './shell.js'
import { losesChanges } from './unsaved-changes.js'

type Parameters = Record<string, string>

type Page = readonly [pattern: string, page: (parameters: Parameters) => ComponentChildren]

const webhookPages: readonly Page[] = [
  ['/webhooks/:id', ({ id = '' }) => <WebhookPage key={id} id={id} />],
  [
    '/webhooks/:webhookId/deliveries/:id',
    ({ webhookId = '', id = '' }) => <DeliveryPage key={id} webhookId={webhookId} id={id} />,
  ],
]

const pages: readonly Page[] = [
  ['/', () => <Overview />],
  ['/links', () => <Links />],
  ['/links/:id', ({ id = '' }) => <LinkPage key={id} id={id} />],
  ['/webhooks', () => <Webhooks />],
  ...webhookPages,
  ['/events', () => <Events />],
  ['/events/:id', ({ id = '' }) => <EventPage key={id} id={id} />],
  ['/settings/tokens', () => <Tokens />],
  ['/settings/notices', () => <Notices />],
  ['/settings/audit-log', () => <AuditLog />],
  ['/settings/service', () => <Service />],
]

const maxShownPath = 60

function currentPage(path: string): ComponentChildren {
  for (const [pattern, page] of isPortal ? webhookPages : pages) {
    const parameters = match(pattern, path)
    if (parameters) return page(parameters)
  }
  return (
    <div class="no-page">
      <PageHead
        title="Page not found"
        lead={
          <>
            There is no page at <code>{path.slice(0, maxShownPath)}</code>.
          </>
        }
      />
      <div class="row wrap">
        <A to={portalHome() ?? '/'} class="button primary">
          {isPortal ? 'Go to webhook' : 'Go to overview'}
        </A>
        {!isPortal && (
          <>
            <A to="/links" class="button">
              Go to links
            </A>
            <button type="button" onClick={openPalette}>
              Search
            </button>
          </>
        )}
      </div>
    </div>
  )
}

export function App() {
  const { path } = place.value
  const isFirst = useRef(true)
  // Move the focus to the title of a new page, for screen readers and keyboard users.
  useEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>('h1')?.focus()
    isFirst.current = false
  }, [path])

  // Signing out clears `me`. The end of a session does not.
  const isPageKept = isSignedIn.value === false && me.value !== null && losesChanges({ isSamePage: false })
  if (isSignedIn.value === true || isPageKept) {
    const page = currentPage(path)
    if (isPortal) return <PortalShell>{page}</PortalShell>
    return (
      <>
        {/* Another token may not have access to the data of the page. */}
        <Shell key={me.value?.id}>{page}</Shell>
        {isPageKept && <SignInAgain />}
      </>
    )
  }
  if (isSignedIn.value === null)
    return (
      <div class="sign-in">
        <Loading />
      </div>
    )
  // A rejected code cannot be retried, because it works only once.
  const canRetry = !isUnauthorized(startError.value)
  const failure = startError.value !== null && (
    <Failure error={startError.value} onRetry={canRetry ? () => void startSession() : undefined} />
  )
  if (isPortal && failure && canRetry)
    return (
      <div class="sign-in">
        <main>
          <h1>{instanceName}</h1>
          {failure}
        </main>
      </div>
    )
  if (isPortal) return <PortalEnded />
  return (
    <>
      <SignIn>{failure}</SignIn>
      <NoticeList />
    </>
  )
}

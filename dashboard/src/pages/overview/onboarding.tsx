/** A checklist for a new workspace. It disappears when all steps are done. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { listTokens } from '../../api/token-list.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { createSnippet } from '../../app/snippets.js'
import { A, Badge, CopyButton, Section } from '../../components/basics.js'
import { Icon } from '../../components/icon.js'

type Step = 'link' | 'click' | 'webhook' | 'token'

/** Remembers that all steps were done, so that deleting the last webhook does not bring the list back. */
const doneKey = 'first-steps-done'
const refreshMs = 10_000
/** The names of the tokens that the service creates for signing in. */
const signInNames = ['first token', 'dashboard']

/** The steps that the current token can take and see. */
function possibleSteps(): Step[] {
  const canCreateLinks = can('links:write') && can('links:read')
  const canCreateWebhooks = can('webhooks:write') && can('webhooks:read') && can('events:read')
  return [
    ...(canCreateLinks ? (['link'] as const) : []),
    ...(canCreateLinks && can('clicks:read') ? (['click'] as const) : []),
    ...(canCreateWebhooks ? (['webhook'] as const) : []),
    ...(can('tokens:write') && can('tokens:read') ? (['token'] as const) : []),
  ]
}

async function loadDoneSteps(steps: readonly Step[], signal: AbortSignal): Promise<ReadonlySet<Step>> {
  const [links, webhooks, tokens] = await Promise.all([
    steps.includes('link') ? service.links.list({ limit: 1, sort: '-clicks' }, { signal }).page() : null,
    steps.includes('webhook') ? service.webhooks.list({ limit: 1 }, { signal }).page() : null,
    steps.includes('token') ? listTokens(signal) : [],
  ])
  const mostClicked = links?.data[0]
  const isDone: Record<Step, boolean | undefined> = {
    link: mostClicked !== undefined,
    click: mostClicked && mostClicked.clicks.total > 0,
    webhook: webhooks?.data[0] !== undefined,
    token: tokens.some(({ name, created_by }) => created_by !== null || !signInNames.includes(name)),
  }
  return new Set(steps.filter((step) => isDone[step]))
}

interface FirstSteps {
  steps: readonly Step[]
  /** Null until it is known, and if all steps were done before. */
  done: ReadonlySet<Step> | null
  resource: Resource<ReadonlySet<Step>>
}

export function useFirstSteps(): FirstSteps {
  const steps = possibleSteps()
  const [isOver, setOver] = useState(() => steps.length === 0 || readDone())
  const resource = useResource(isOver ? null : 'first steps', (signal) => loadDoneSteps(steps, signal), {
    everyMs: refreshMs,
  })
  const { data: done } = resource
  const isComplete = done?.size === steps.length
  useEffect(() => {
    if (!isComplete) return
    writeDone()
    setOver(true)
  }, [isComplete])
  return { steps, done, resource }
}

export function Onboarding({ steps, done }: FirstSteps) {
  if (done === null || done.size === steps.length) return null
  return (
    <Section title="Get started" actions={<Badge>{`${done.size} of ${steps.length}`}</Badge>}>
      <ol class="checklist">
        {steps
          .toSorted((one, other) => Number(done.has(other)) - Number(done.has(one)))
          .map((step) => (
            <li key={step} class={done.has(step) ? 'is-done' : ''}>
              <span class="check-mark">{done.has(step) && <Icon name="done" />}</span>
              <div>
                <h3>
                  {titles[step]}
                  {done.has(step) && <span class="hidden-text"> (done)</span>}
                </h3>
                {!done.has(step) && details[step]()}
              </div>
            </li>
          ))}
      </ol>
    </Section>
  )
}

const titles: Record<Step, string> = {
  link: 'Create a short link',
  click: 'Open the short link',
  webhook: 'Receive events',
  token: 'Create an API token',
}

const details: Record<Step, () => ComponentChildren> = {
  link: () => <CreateLinkStep />,
  click: () => <p class="muted">The click appears on the Live tab of the link within a second.</p>,
  webhook: () => (
    <p class="muted">
      <A to="/webhooks?new=1">Create a webhook</A> to be notified of every link change and click.
    </p>
  ),
  token: () => (
    <p class="muted">
      <A to="/settings/tokens?new=1">Create a token</A> with only the scopes that the program needs.
    </p>
  ),
}

function CreateLinkStep() {
  const body = { url: 'https://example.com/a/long/url' }
  const { curl } = createSnippet({ method: 'POST', path: '/v1/links', call: 'links.create', body })
  return (
    <>
      <p class="muted">
        Use the field above. To use the API instead, <A to="/settings/tokens?new=1">create a token</A>, set{' '}
        <code>LINK_SERVICE_TOKEN</code> to it and run this command. You can also{' '}
        <A to="/links?new=many">import links</A> from another service.
      </p>
      <div class="command">
        <pre tabIndex={0}>{curl}</pre>
        <CopyButton small text={curl} label="Copy as curl" />
      </div>
    </>
  )
}

function readDone(): boolean {
  try {
    return localStorage.getItem(doneKey) !== null
  } catch {
    return false
  }
}

function writeDone(): void {
  try {
    localStorage.setItem(doneKey, 'true')
  } catch {
    // Storage is blocked, so the checklist appears again if a step is undone.
  }
}

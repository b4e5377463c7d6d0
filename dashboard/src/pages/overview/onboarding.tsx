/** A checklist for a new workspace. It disappears when all steps are done. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { getAnalytics } from '../../api/click-figures.js'
import { service } from '../../api/client.js'
import { listTokens } from '../../api/token-list.js'
import { useResource } from '../../app/resource.js'
import { can } from '../../app/session.js'
import { snippetOf } from '../../app/snippets.js'
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
  return [
    ...(can('links:write') && can('links:read') ? (['link'] as const) : []),
    ...(can('links:write') && can('clicks:read') ? (['click'] as const) : []),
    ...(can('webhooks:write') && can('webhooks:read') ? (['webhook'] as const) : []),
    ...(can('tokens:write') && can('tokens:read') ? (['token'] as const) : []),
  ]
}

const checks: Record<Step, (signal: AbortSignal) => Promise<boolean>> = {
  link: async (signal) => (await service.links.list({ limit: 1 }, { signal }).page()).data.length > 0,
  click: async (signal) => (await getAnalytics(null, { interval: 'all' }, signal)).totals.clicks > 0,
  webhook: async (signal) => (await service.webhooks.list({ limit: 1 }, { signal }).page()).data.length > 0,
  token: async (signal) =>
    (await listTokens(signal)).some(
      ({ name, created_by }) => created_by !== null || !signInNames.includes(name),
    ),
}

export function Onboarding() {
  const steps = possibleSteps()
  const [isOver, setOver] = useState(() => steps.length === 0 || readDone())
  const progress = useResource(
    isOver ? null : 'first steps',
    async (signal) => {
      const results = await Promise.all(steps.map((step) => checks[step](signal)))
      return new Set(steps.filter((_, index) => results[index]))
    },
    { everyMs: refreshMs },
  )
  const done = progress.data
  const isComplete = done !== null && steps.every((step) => done.has(step))
  useEffect(() => {
    if (!isComplete) return
    writeDone()
    setOver(true)
  }, [isComplete])
  if (isOver || isComplete || done === null) return null
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
  const { curl } = snippetOf({ method: 'POST', path: '/v1/links', call: 'links.create', body })
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

/** The notice targets of the workspace: Slack, Discord and email. */
import type { ResultOf } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { showNotice } from '../../app/notices.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { getQueryParameter, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { createSnippet } from '../../app/snippets.js'
import { A, Badge, PageHead, Section, Time } from '../../components/basics.js'
import { FormError, useAction } from '../../components/form.js'
import { Empty, Loaded, RequireScope } from '../../components/states.js'
import { describeEvents } from './notice-events.js'
import type { NoticeTarget } from './notice-events.js'
import { TestOutcome } from './notice-test.js'
import { AddTarget, EditTarget, getTargetTypeName, RemoveTarget } from './target-dialogs.js'

interface TargetAction {
  kind: 'edit' | 'remove'
  target: NoticeTarget
}

export function Notices() {
  const targets = useResource(can('webhooks:read') ? 'notice targets' : null, (signal) =>
    service.notices.list({ limit: 100 }, { signal }).toArray(),
  )
  const [results, setResults] = useState<ResultOf<'testNotices'>['results'] | null>(null)
  const [action, setAction] = useState<TargetAction | null>(null)
  const testing = useAction()
  const test = () =>
    testing.run(async () => {
      setResults(null)
      const { results } = await service.notices.test()
      setResults(results)
      const call = { method: 'POST', path: '/v1/workspace/notices/test', call: 'notices.test' } as const
      // Failures are listed on the page.
      if (results.every(({ delivered }) => delivered)) showNotice('Sent test.', createSnippet(call))
    })
  const instance = useResource(can('instance:read') ? 'instance' : null, (signal) =>
    service.instance.get({ signal }),
  )
  // The operator can also test the targets of the whole service.
  const hasTargets = (targets.data?.length ?? 0) > 0 || findSetting(instance.data, 'NOTICES')?.is_set === true
  const canTest = can('webhooks:write') && hasTargets
  const dialogs = { onDone: targets.reload, onClose: () => setAction(null) }
  return (
    <>
      <PageHead
        title="Notices"
        lead="Messages for your team when a webhook fails or a token expires. At most one per hour for each event type."
      >
        {canTest && (
          <button type="button" disabled={testing.isBusy} onClick={test}>
            {testing.isBusy ? 'Sending…' : 'Send test'}
          </button>
        )}
        {canAdd() && (
          <button
            type="button"
            class="primary"
            data-new=""
            onClick={() => setQuery({ new: '1' }, { replace: true })}
          >
            Add target
          </button>
        )}
      </PageHead>
      <RequireScope scope="webhooks:read">
        <FormError error={testing.error} />
        {results && <TestOutcome results={results} />}
        <Loaded from={targets} rows={4}>
          {(all) => <TargetList targets={all} onAction={setAction} />}
        </Loaded>
        {can('instance:read') && <OperatorTargets instance={instance} />}
      </RequireScope>
      {getQueryParameter('new') === '1' && (
        <AddTarget onDone={targets.reload} onClose={() => setQuery({ new: null }, { replace: true })} />
      )}
      {action?.kind === 'edit' && <EditTarget target={action.target} {...dialogs} />}
      {action?.kind === 'remove' && <RemoveTarget target={action.target} {...dialogs} />}
    </>
  )
}

function canAdd(): boolean {
  return can('webhooks:write') && can('events:read')
}

interface TargetListProps {
  targets: readonly NoticeTarget[]
  onAction: (action: TargetAction) => void
}

function TargetList({ targets, onAction }: TargetListProps) {
  if (targets.length === 0)
    return (
      <Empty title="No targets yet">
        <p>Add a Slack or Discord channel, or an email address, then send a test.</p>
        {canAdd() && (
          <A to="/settings/notices?new=1" class="button">
            Add target
          </A>
        )}
      </Empty>
    )
  return (
    <Section title="This workspace">
      <ul class="targets">
        {targets.map((target) => (
          <li key={target.id}>
            <div>
              <div class="row wrap">
                <b>{getTargetTypeName(target.type)}</b>
                <code>{target.address}</code>
                {target.failing_since !== null && <Badge tone="bad">failing</Badge>}
              </div>
              <p>{describeEvents(target.events)}</p>
              <TargetState target={target} />
            </div>
            <TargetButtons target={target} onAction={onAction} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function TargetState({ target: { failing_since, last_error, last_sent_at } }: { target: NoticeTarget }) {
  if (failing_since !== null)
    return (
      <p class="small-text failed">
        Messages have not been accepted since <Time at={failing_since} />: {last_error}
      </p>
    )
  return (
    <p class="small-text muted">
      {last_sent_at === null ? (
        'No notice sent yet'
      ) : (
        <>
          Last notice <Time at={last_sent_at} />
        </>
      )}
    </p>
  )
}

function TargetButtons({
  target,
  onAction,
}: {
  target: NoticeTarget
  onAction: TargetListProps['onAction']
}) {
  const name = `${getTargetTypeName(target.type)} ${target.address}`
  return (
    <div class="row">
      {canAdd() && (
        <button
          type="button"
          class="small"
          aria-label={`Edit ${name}`}
          onClick={() => onAction({ kind: 'edit', target })}
        >
          Edit
        </button>
      )}
      {can('webhooks:write') && (
        <button
          type="button"
          class="small danger"
          aria-label={`Remove ${name}`}
          onClick={() => onAction({ kind: 'remove', target })}
        >
          Remove
        </button>
      )}
    </div>
  )
}

type InstanceInfo = ResultOf<'getInstance'>

function findSetting(instance: InstanceInfo | null, name: string) {
  return instance?.settings.find((each) => each.name === name)
}

/** Whether the operator has set targets in NOTICES, whose addresses the API does not return. */
function OperatorTargets({ instance }: { instance: Resource<InstanceInfo> }) {
  return (
    <Section title="All workspaces">
      <Loaded from={instance} rows={1}>
        {(data) => {
          const events = findSetting(data, 'NOTICE_EVENTS')?.value
          return findSetting(data, 'NOTICES')?.is_set ? (
            <p>
              The targets in <code>NOTICES</code> also receive notices of this workspace
              {events ? <>: {describeEvents(events.split(',')).toLowerCase()}</> : null}. Send test includes
              them.
            </p>
          ) : (
            <p>
              To get notices from all workspaces, set <code>NOTICES</code> and restart the service.
            </p>
          )
        }}
      </Loaded>
    </Section>
  )
}

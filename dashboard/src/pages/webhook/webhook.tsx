/** One webhook: ledger, deliveries, test events and replay. */
import type { BodyOf, Webhook } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { formatLeft, now } from '../../app/format.js'
import { showNotice } from '../../app/notices.js'
import { instanceName } from '../../app/branding.js'
import { useResource } from '../../app/resource.js'
import type { Resource } from '../../app/resource.js'
import { getQueryParameter, setQuery } from '../../app/router.js'
import { isPortal } from '../../app/base.js'
import { canUseWebhook } from '../../app/session.js'
import { createSnippet } from '../../app/snippets.js'
import { leaveForm } from '../../app/unsaved-changes.js'
import { Badge, CopyButton, Moment, PageHead, Tabs, Time } from '../../components/basics.js'
import { FormError, useAction } from '../../components/form.js'
import { MoreMenu } from '../../components/more-menu.js'
import { TestButton } from '../../components/next-step.js'
import { Loaded, NotFound, RequireScope } from '../../components/states.js'
import { DeliveryPause, useDeliveryState } from '../webhooks/delivery-pause.js'
import {
  getWebhookName,
  isInTrouble,
  LastError,
  WebhookNextAttempt,
  WebhookState,
} from '../webhooks/health.js'
import { Deliveries } from './deliveries.js'
import { Ledger } from './ledger.js'
import { Replay } from './replay.js'
import { SharePortal } from './share-portal.js'
import { SourceAddresses } from './source-addresses.js'
import { TestFilter } from './test-filter.js'
import { TestSend } from './test-send.js'
import { getWebhookFacts } from './webhook-facts.js'
import { DeleteWebhook, EditWebhook, RotateSecret } from './webhook-forms.js'

const tabs = [
  ['', 'Deliveries'],
  ['test', 'Test'],
  ['replay', 'Replay'],
] as const

function openTab(tab: string): void {
  leaveForm(() => setQuery({ tab }, { replace: true }))
}

export function WebhookPage({ id }: { id: string }) {
  const webhook = useResource(`webhook ${id}`, (signal) => service.webhooks.get(id, { signal }), {
    everyMs: 5_000,
  })
  return (
    <RequireScope scope="webhooks:read" title="Webhook">
      <Loaded from={webhook} title="Webhook" rows={8} absent={<NotFound what="webhook" back="/webhooks" />}>
        {(data) => <LoadedWebhook webhook={data} resource={webhook} />}
      </Loaded>
    </RequireScope>
  )
}

type WebhookDialog = 'edit' | 'rotate' | 'share' | 'delete' | null

function LoadedWebhook({ webhook, resource }: { webhook: Webhook; resource: Resource<Webhook> }) {
  // The button of a next step links to this page with `edit=1`.
  const [dialog, setDialog] = useState<WebhookDialog>(getQueryParameter('edit') === '1' ? 'edit' : null)
  const deliveryState = useDeliveryState()
  const changing = useAction()
  const tab = getQueryParameter('tab')
  const close = () => {
    setDialog(null)
    if (getQueryParameter('edit')) setQuery({ edit: null }, { replace: true })
  }
  const setStatus = (status: NonNullable<BodyOf<'updateWebhook'>['status']>) =>
    changing.run(async () => {
      const body = { status }
      resource.set(await service.webhooks.update(webhook.id, body))
      const path = `/v1/webhooks/${webhook.id}`
      const message =
        status === 'active'
          ? 'Resumed webhook. Held deliveries are being sent.'
          : 'Paused webhook. New deliveries are held.'
      showNotice(
        message,
        createSnippet({ method: 'PATCH', path, body, call: 'webhooks.update', args: [webhook.id] }),
      )
    })
  return (
    <>
      <PageHead
        title={getWebhookName(webhook)}
        up={isPortal ? [] : [['/webhooks', 'Webhooks']]}
        {...(isPortal ? { kicker: `Shared with you by ${instanceName}` } : {})}
        lead={<Lead webhook={webhook} />}
      >
        {canUseWebhook('edit') && (
          <>
            {webhook.status === 'active' ? (
              <button type="button" disabled={changing.isBusy} onClick={() => setStatus('paused')}>
                Pause
              </button>
            ) : (
              <button
                type="button"
                class="primary"
                disabled={changing.isBusy}
                onClick={() => setStatus('active')}
              >
                Resume
              </button>
            )}
            <button type="button" onClick={() => setDialog('edit')}>
              Edit
            </button>
            <MoreMenu>
              <button type="button" onClick={() => setDialog('rotate')}>
                Rotate secret
              </button>
              <button type="button" onClick={() => setDialog('share')}>
                Create portal link
              </button>
              <button type="button" class="danger" onClick={() => setDialog('delete')}>
                Delete
              </button>
            </MoreMenu>
          </>
        )}
        {isPortal && canUseWebhook('rotate') && (
          <button type="button" onClick={() => setDialog('rotate')}>
            Rotate secret
          </button>
        )}
      </PageHead>
      <DeliveryPause from={deliveryState} />
      <FormError error={changing.error} />
      {isInTrouble(webhook) && <Trouble webhook={webhook} onTest={resource.reload} />}
      <Tabs
        isView
        label="View"
        tabs={tabs.filter(([name]) => name === '' || canUseWebhook(name))}
        current={tab}
        onPick={openTab}
      />
      {tab === '' && (
        <>
          <Ledger id={webhook.id} />
          <Deliveries webhook={webhook} />
          {!isPortal && <SourceAddresses />}
        </>
      )}
      {tab === 'test' && (
        <>
          <TestSend webhook={webhook} />
          {webhook.filter && !isPortal && <TestFilter webhookId={webhook.id} />}
        </>
      )}
      {tab === 'replay' && <Replay webhook={webhook} />}
      {dialog === 'edit' && <EditWebhook webhook={webhook} resource={resource} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret webhook={webhook} onDone={resource.reload} onClose={close} />}
      {dialog === 'share' && <SharePortal webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  )
}

/** Why deliveries fail, and what to do about it. */
function Trouble({ webhook, onTest }: { webhook: Webhook; onTest: () => void }) {
  const isDisabled = webhook.status === 'disabled'
  return (
    <div class="callout verdict bad">
      <div>
        {isDisabled && (
          <p>
            <b>This webhook was disabled.</b> {webhook.disabled_reason} Deliveries are held until it is
            resumed.
          </p>
        )}
        <div class="facts-line">
          <LastError webhook={webhook} />
          {webhook.failing_since && (
            <span>
              failing since <Moment at={webhook.failing_since} />
            </span>
          )}
          <WebhookNextAttempt webhook={webhook} />
        </div>
        <p>{adviceFor(webhook)}</p>
      </div>
      {canUseWebhook('test') && getQueryParameter('tab') !== 'test' && (
        <TestButton webhookId={webhook.id} onDone={onTest} />
      )}
    </div>
  )
}

function adviceFor({ status, circuit, failing_since }: Webhook): string {
  if (status === 'disabled') return 'Fix the receiver, send a test, then resume the webhook.'
  if (failing_since === null)
    return 'The receiver requested a pause with Retry-After. Deliveries resume when the pause ends.'
  return circuit === 'closed'
    ? 'Fix the receiver, then send a test. Failed deliveries are retried.'
    : 'Fix the receiver, then send a test. Until an attempt succeeds, only one new delivery is sent at a time.'
}

function Lead({ webhook }: { webhook: Webhook }) {
  const { url, secret_rotation: rotation } = webhook
  return (
    <>
      <div class="row">
        <code class="endpoint">{url}</code>
        <CopyButton isIcon text={url} label="Copy URL" />
      </div>
      <div class="facts-line">
        <WebhookState webhook={webhook} />
        {getWebhookFacts(webhook).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <span>
          {webhook.last_success_at === null ? (
            'no success yet'
          ) : (
            <>
              last success <Time at={webhook.last_success_at} />
            </>
          )}
        </span>
        <span class="row">
          <code>{webhook.id}</code>
          <CopyButton isIcon text={webhook.id} label="Copy ID" />
        </span>
        {rotation && (
          <Badge tone="warn">old secret valid for {formatLeft(rotation.old_ends_at, now.value)}</Badge>
        )}
      </div>
    </>
  )
}

/** The next step of an explanation: its message, and a button for its action. */
import type { NextStep } from '@link-service/client'
import type { ComponentChildren } from 'preact'

import { service } from '../api/client.js'
import { showNotice } from '../app/notices.js'
import { canUseWebhook } from '../app/session.js'
import { createSnippet } from '../app/snippets.js'
import { A } from './basics.js'
import { FormError, useAction } from './form.js'
import { Sentence } from './sentence.js'

interface StepProps {
  step: NextStep
  onDone: () => void
  /** For a row of a table. */
  small?: boolean
}

export function NextStepMessage({ step: { message } }: Pick<StepProps, 'step'>) {
  return <Sentence text={message} />
}

/** Renders nothing if there is no action, or if the token lacks the scope for it. */
export function NextStepButton({ step, onDone, small = false }: StepProps) {
  const id = step.webhook_id
  if (id === null || !canUseWebhook('edit')) return null
  switch (step.action) {
    case 'redeliver':
      return (
        step.delivery_id && (
          <RedeliverButton webhookId={id} id={step.delivery_id} onDone={onDone} small={small} />
        )
      )
    case 'skip':
      return (
        step.delivery_id && <SkipButton webhookId={id} id={step.delivery_id} onDone={onDone} small={small} />
      )
    case 'test':
      return <TestButton webhookId={id} onDone={onDone} small={small} />
    case 'resume':
      return <ResumeButton webhookId={id} onDone={onDone} small={small} />
    case 'replay':
      return (
        <A
          class={small ? 'button small' : 'button'}
          to={`/webhooks/${id}?tab=replay&kind=events&since=${step.since ?? ''}`}
        >
          Replay events
        </A>
      )
    case 'update':
      return (
        <A class={small ? 'button small' : 'button'} to={`/webhooks/${id}?edit=1`}>
          Edit webhook
        </A>
      )
    case 'none':
    default:
      return null
  }
}

interface ActionButtonProps {
  work: () => Promise<void>
  small: boolean
  children: ComponentChildren
}

function ActionButton({ work, small, children }: ActionButtonProps) {
  const action = useAction()
  const className = small ? 'small' : 'primary'
  return (
    <>
      <button type="button" class={className} disabled={action.isBusy} onClick={() => action.run(work)}>
        {children}
      </button>
      <FormError error={action.error} />
    </>
  )
}

interface DeliveryButtonProps {
  webhookId: string
  id: string
  onDone: () => void
  small?: boolean
}

export function RedeliverButton({ webhookId, id, onDone, small = false }: DeliveryButtonProps) {
  const redeliver = async () => {
    await service.webhooks.redeliver(webhookId, id)
    const path = `/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`
    showNotice(
      'Redelivery queued.',
      createSnippet({ method: 'POST', path, call: 'webhooks.redeliver', args: [webhookId, id] }),
    )
    onDone()
  }
  return (
    <ActionButton work={redeliver} small={small}>
      Redeliver
    </ActionButton>
  )
}

function SkipButton({ webhookId, id, onDone, small = false }: DeliveryButtonProps) {
  const skip = async () => {
    await service.webhooks.skip(webhookId, id)
    const path = `/v1/webhooks/${webhookId}/deliveries/${id}/skip`
    showNotice(
      'Delivery skipped.',
      createSnippet({ method: 'POST', path, call: 'webhooks.skip', args: [webhookId, id] }),
    )
    onDone()
  }
  return (
    <ActionButton work={skip} small={small}>
      Skip delivery
    </ActionButton>
  )
}

interface WebhookButtonProps {
  webhookId: string
  onDone: () => void
  small?: boolean
}

/** Sends a test without leaving the page, and shows the verdict. */
export function TestButton({ webhookId, onDone, small = false }: WebhookButtonProps) {
  const send = async () => {
    const { delivered, verdict } = await service.webhooks.test(webhookId)
    const path = `/v1/webhooks/${webhookId}/test`
    showNotice(
      verdict,
      createSnippet({ method: 'POST', path, call: 'webhooks.test', args: [webhookId] }),
      !delivered,
    )
    onDone()
  }
  return (
    <ActionButton work={send} small={small}>
      Send test
    </ActionButton>
  )
}

function ResumeButton({ webhookId, onDone, small = false }: WebhookButtonProps) {
  const resume = async () => {
    const body = { status: 'active' } as const
    await service.webhooks.update(webhookId, body)
    const path = `/v1/webhooks/${webhookId}`
    showNotice(
      'Resumed webhook. Held deliveries are being sent.',
      createSnippet({ method: 'PATCH', path, body, call: 'webhooks.update', args: [webhookId] }),
    )
    onDone()
  }
  return (
    <ActionButton work={resume} small={small}>
      Resume webhook
    </ActionButton>
  )
}

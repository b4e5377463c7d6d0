/** `link-service explain`: shows why webhooks did or did not receive an event. */
import type { Command } from '@commander-js/extra-typings'
import type { Explanation, LinkService, NextStep } from '@link-service/client'

import { UsageError } from '../../platform/config/startup-error.js'
import { withClient } from './connection.js'
import { definedFields } from './request-fields.js'
import { withJson } from './remote-options.js'
import { printText } from './remote-output.js'
import { commandText } from '../../platform/util/program.js'

interface Explained {
  /** Why there is no event. Replaces the explanations. */
  sentence?: string | null
  next_step?: NextStep | null
  data: readonly Explanation[]
}

const maxWebhooks = 100

export function addExplainCommand(program: Command): void {
  withJson(
    program
      .command('explain')
      .description(
        'Explain why webhooks did or did not receive an event, a click, or the latest event of a link',
      )
      .argument('<id>', 'ID of the event, click or link')
      .option('--webhook <id>', 'only this webhook (default: all)'),
    'explain clk_01kaj4d0qae6svf0k9w3m7x2ht --webhook wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) => {
    const explain = getExplainer(id)
    return withClient(options, async (client) => {
      const explained = await explain(client, options.webhook)
      printText(formatExplanationLines(explained).join('\n'), explained, options)
    })
  })
}

type Explainer = (client: LinkService, webhook: string | undefined) => Promise<Explained>

function getExplainer(id: string): Explainer {
  const createExplainQuery = (webhook: string | undefined) =>
    definedFields({ webhook_id: webhook, limit: maxWebhooks })
  if (id.startsWith('evt_'))
    return async ({ events }, webhook) => ({
      data: webhook ? [await events.explainFor(id, webhook)] : await events.explain(id).toArray(maxWebhooks),
    })
  if (id.startsWith('clk_')) return ({ clicks }, webhook) => clicks.explain(id, createExplainQuery(webhook))
  if (id.startsWith('lnk_')) return ({ links }, webhook) => links.explain(id, createExplainQuery(webhook))
  throw new UsageError('explain takes the ID of an event (evt_…), of a click (clk_…) or of a link (lnk_…).')
}

export function formatExplanationLines({ sentence, next_step, data }: Explained): string[] {
  if (sentence) return [sentence, next_step?.message ?? '']
  if (data.length === 0) return ['No webhook could have received this event.']
  return data.flatMap(({ webhook_id, sentence, reason, next_step, delivery }) => [
    `${webhook_id}  ${sentence}`,
    ...formatStepLines(next_step, reason),
    ...(delivery ? [`  See: ${commandText(`webhooks delivery ${webhook_id} ${delivery.id}`)}`] : []),
  ])
}

/** The commands that perform next steps. */
const commands: Partial<Record<NextStep['action'], (step: NextStep) => string>> = {
  skip: ({ webhook_id, delivery_id }) => `webhooks skip ${webhook_id} ${delivery_id}`,
  redeliver: ({ webhook_id, delivery_id }) => `webhooks redeliver ${webhook_id} ${delivery_id}`,
  test: ({ webhook_id }) => `webhooks test ${webhook_id}`,
  resume: ({ webhook_id }) => `webhooks update ${webhook_id} --status active`,
  replay: ({ webhook_id, since }) => `webhooks replay ${webhook_id} --from events --since ${since}`,
  update: ({ webhook_id }) => `webhooks update ${webhook_id} --events TYPES`,
}

function formatStepLines(step: NextStep, reason: Explanation['reason']): string[] {
  // The command of the step changes event types, but here the filter must change.
  const command = reason === 'filtered' ? undefined : commands[step.action]
  return [`  ${step.message}`, ...(command ? [`  Run: ${commandText(command(step))}`] : [])]
}

/** The `webhooks` of the OpenAPI document: what receivers are sent, one entry for each type of event. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { catalogue, eventTypes } from './catalogue.js'
import type { EventType } from './catalogue.js'
import { pascalCase, schemaOf } from './event-schemas.js'
import { exampleEvent } from './example-event.js'

type Webhooks = NonNullable<OpenAPIObject['webhooks']>
type WebhookOperation = NonNullable<Webhooks[string]['post']>

const introduction = `
Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else
comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more
than once and in any order: tell repetitions by \`webhook-id\`, and the order by \`webhook-sequence\`.
`
  .trim()
  .replaceAll('\n', ' ')

const headers = [
  header(
    'webhook-id',
    "The event's id, the same at every attempt: to tell repetitions by.",
    exampleEvent('click').id,
  ),
  header(
    'webhook-timestamp',
    'When this attempt was made, in Unix seconds. Refuse what is minutes old.',
    '1769857200',
  ),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header('webhook-attempt', 'Which attempt this is, from 1.', '1'),
  header(
    'webhook-sequence',
    'The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.',
    '42',
    false,
  ),
]

export function eventWebhooks(): Webhooks {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]))
}

function operationOf(type: EventType): WebhookOperation {
  const { meaning } = catalogue[type]
  const example = exampleEvent(type)
  return {
    operationId: `on${pascalCase(type)}`,
    summary: meaning,
    description: introduction,
    tags: ['Events'],
    parameters: headers,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schemaOf(type)}` },
          example,
        },
      },
    },
    // Receivers check the signature, and no bearer.
    security: [],
    responses: { '2XX': { description: 'Received. The body of the answer does not matter.' } },
  }
}

function header(name: string, description: string, example: string, required = true) {
  return { name, in: 'header' as const, required, description, schema: { type: 'string' as const }, example }
}

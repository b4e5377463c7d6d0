/** Uses the client that openapi-generator generates for TypeScript. */
import { Configuration, DeliveriesApi, EventsApi, LinksApi, WebhooksApi } from './client'

async function main() {
  const configuration = new Configuration({
    basePath: process.env.LINK_SERVICE_URL!,
    accessToken: process.env.LINK_SERVICE_TOKEN!,
  })
  const links = new LinksApi(configuration)
  const link = await links.createLink({ createLink: { url: 'https://example.com/spring' } })
  console.log(`Created ${link.url}`)
  console.log(`Listed ${(await links.listLinks({ limit: 1 })).data[0]!.url}`)

  const webhook = await new WebhooksApi(configuration).createWebhook({
    createWebhook: { url: process.env.WEBHOOK_URL!, events: ['link.created', '*'] },
  })
  console.log(`Webhook for ${webhook.events.join(', ')}`)
  const test = await new DeliveriesApi(configuration).sendTestEvent({ id: webhook.id })
  console.log(`Test delivered: ${test.delivered}`)

  const events = new EventsApi(configuration)
  for (const { id } of (await events.listEvents({ limit: 100 })).data) {
    const { type, data } = await events.getEvent({ id })
    console.log(JSON.stringify({ type, data }))
  }
}

void main()

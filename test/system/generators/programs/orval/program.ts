/** Uses the client that orval generates. */
import { createLink, createWebhook, getEvent, listEvents, listLinks, sendTestEvent } from './client'

async function main() {
  const link = await createLink({ url: 'https://example.com/spring' })
  console.log(`Created ${link.url}`)
  console.log(`Listed ${(await listLinks({ limit: 1 })).data[0]!.url}`)

  const webhook = await createWebhook({ url: process.env.WEBHOOK_URL!, events: ['link.created', '*'] })
  console.log(`Webhook for ${webhook.events.join(', ')}`)
  const test = await sendTestEvent(webhook.id)
  console.log(`Test delivered: ${test.delivered}`)

  for (const { id } of (await listEvents({ limit: 100 })).data) {
    const { type, data } = await getEvent(id)
    console.log(JSON.stringify({ type, data }))
  }
}

void main()

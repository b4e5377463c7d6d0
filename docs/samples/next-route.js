// app/hooks/route.js
import { Webhook } from 'standardwebhooks'

const seen = new Set() // in production, a table of event IDs

export async function POST(request) {
  // Created here, because `next build` loads this file without WEBHOOK_SECRET.
  const webhook = new Webhook(process.env.WEBHOOK_SECRET)
  let event
  try {
    event = webhook.verify(await request.text(), Object.fromEntries(request.headers))
  } catch {
    return new Response(null, { status: 400 })
  }
  if (!seen.has(event.id)) {
    seen.add(event.id)
    handle(event)
  }
  return new Response(null, { status: 204 })
}

function handle(event) {
  console.log(event.type, event.id)
}

// WEBHOOK_SECRET=whsec_… PORT=4000 node express.mjs
import express from 'express'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const seen = new Set() // in production, a table of event IDs

const app = express()
app.post('/hooks', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch {
    return response.sendStatus(400)
  }
  response.sendStatus(204)
  if (seen.has(event.id)) return
  seen.add(event.id)
  setImmediate(handle, event)
})

/** Runs after the response, so slow work cannot cause a timeout. */
function handle(event) {
  console.log(event.type, event.id)
}

app.listen(process.env.PORT ?? 4000)

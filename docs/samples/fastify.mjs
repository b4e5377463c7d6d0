// WEBHOOK_SECRET=whsec_… PORT=4000 node fastify.mjs
import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const seen = new Set() // in production, a table of event IDs

const app = Fastify()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})
app.post('/hooks', (request, reply) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch {
    return reply.code(400).send()
  }
  reply.code(204).send()
  if (seen.has(event.id)) return
  seen.add(event.id)
  setImmediate(handle, event)
})

/** Runs after the response, so slow work cannot cause a timeout. */
function handle(event) {
  console.log(event.type, event.id)
}

await app.listen({ port: Number(process.env.PORT ?? 4000) })

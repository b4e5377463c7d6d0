// WEBHOOK_SECRET=whsec_… FORMAT=slack TARGET_URL=https://… PORT=4000 node adapter.mjs
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const { WEBHOOK_SECRET, FORMAT = 'json', TARGET_URL, PORT = '4000' } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)
const largestBody = 1024 * 1024
/** Shorter than WEBHOOK_TIMEOUT, so that the delivery log shows the reason. */
const targetTimeoutMs = 10_000

/** The request body for each FORMAT. */
const bodies = {
  json: (event) => event,
  slack: (event) => ({ text: textOf(event).replace(/[&<>]/g, (each) => slackEntities[each]) }),
  discord: (event) => ({ content: textOf(event).slice(0, 2000), allowed_mentions: { parse: [] } }),
}
const slackEntities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function textOf({ type, data }) {
  if (type === 'click') return `Click on ${data.link.short_url} from ${data.click.country ?? 'unknown'}`
  if (data.link) return `${type}: ${data.link.short_url} to ${data.link.url}`
  if (data.webhook) return `${type}: ${data.webhook.url}. ${data.reason}`
  if (data.token) return `${type}: ${data.token.name}`
  if (data.import) return `${type}: ${data.import.status}, ${data.import.created} links created`
  return `${type}: ${data.message ?? ''}`
}

const bodyOf = bodies[FORMAT]
if (!bodyOf) throw new Error(`FORMAT must be one of ${Object.keys(bodies).join(', ')}.`)

const forwarded = new Set()
const largestSet = 10_000

function remember(id) {
  forwarded.add(id)
  if (forwarded.size > largestSet) forwarded.delete(forwarded.values().next().value)
}

async function forward(event) {
  const response = await fetch(TARGET_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(event)),
    signal: AbortSignal.timeout(targetTimeoutMs),
  })
  return { status: response.status, wait: response.headers.get('retry-after'), text: await response.text() }
}

async function read(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestBody) throw new Error('The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer(async (request, response) => {
  const respond = (status, text = '', headers = {}) =>
    response.writeHead(status, { connection: 'close', ...headers }).end(text)
  let event
  try {
    event = webhook.verify(await read(request), request.headers)
  } catch {
    return respond(400, 'The signature is invalid.')
  }
  if (forwarded.has(event.id)) return respond(204)
  try {
    const { status, wait, text } = await forward(event)
    if (status === 429) return respond(429, text, wait ? { 'retry-after': wait } : {})
    if (status >= 300) return respond(502, `The target responded with ${status}: ${text}`)
  } catch (error) {
    return respond(502, `The target did not respond: ${error.message}`)
  }
  remember(event.id)
  respond(204)
})

server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

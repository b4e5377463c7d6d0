/** Creates a token, a webhook and a link, verifies the delivery, and follows clicks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { LinkService, verifyWebhook } from '@link-service/client'

const baseUrl = process.env['LINK_SERVICE_URL']
const root = new LinkService({ baseUrl, token: process.env['LINK_SERVICE_TOKEN'] })
const { token } = await root.tokens.create({
  name: 'ts',
  scopes: ['links:read', 'links:write', 'clicks:read', 'events:read', 'webhooks:write'],
})
const client = new LinkService({ baseUrl, token })

let secret = ''
const server = createServer((request, response) => {
  void verifyWebhook(request, ['another secret', secret]).then((event) => {
    if (event.type === 'link.created') console.log('verified', event.data.link.slug)
    response.writeHead(204).end()
  })
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/hook`
const webhook = await client.webhooks.create({ url, events: ['link.created'] })
secret = webhook.secret ?? ''
const link = await client.links.create({ url: 'https://example.com/', slug: 'typescript', tags: ['ts'] })
const listed = await client.links.list({ tag: 'ts' }).toArray(10)
console.log('listed', ...listed.map(({ slug }) => slug))

// The test visits the link, and restarts the service after the first click.
let clicks = 0
for await (const { item } of client.clicks.follow({ link_id: link.id, pollMs: 200 })) {
  console.log('click', ++clicks, item.slug)
  if (clicks === 3) break
}
server.close()

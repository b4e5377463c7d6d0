/** All that it takes from a token to a verified delivery. */
import { createServer } from 'node:http'

import { LinkService, verifyWebhook } from '@link-service/client'

const { LINK_SERVICE_URL: baseUrl, LINK_SERVICE_TOKEN: token } = process.env
const client = new LinkService({ baseUrl, token })
let secret = ''

const server = createServer((request, response) => {
  verifyWebhook(request, secret).then(
    (event) => {
      response.writeHead(204).end()
      if (event.type === 'link.created') console.log('verified', event.data.link.slug)
      process.exit()
    },
    () => response.writeHead(400).end(),
  )
})

server.listen(0, '127.0.0.1', () => void begin())

async function begin(): Promise<void> {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  const url = `http://127.0.0.1:${address.port}/hook`
  const webhook = await client.webhooks.create({ url, events: ['link.created'] })
  secret = webhook.secret ?? ''
  await client.links.create({ url: 'https://example.com/', slug: 'first' })
}

/** The baseline: the least of node:http that answers a redirect with the service's headers. Nothing is recorded. */
import { createServer } from 'node:http'

import { links } from '../lib/links.js'

/** `headers` are those of the service, name and value in turn; what differs from answer to answer is put in here. */
const { headers } = JSON.parse(process.argv[2])
const locations = new Map(links().map(({ slug, url }) => [slug, url]))
const places = { location: -1, 'x-request-id': -1 }
for (let i = 0; i < headers.length; i += 2)
  if (headers[i].toLowerCase() in places) places[headers[i].toLowerCase()] = i + 1
let requests = 0

const server = createServer((request, response) => {
  const location = locations.get(request.url.slice(1))
  if (location === undefined) return response.writeHead(404).end()
  const own = headers.slice()
  own[places.location] = location
  own[places['x-request-id']] = `bench-${(++requests).toString(36)}`
  response.writeHead(302, own)
  response.end()
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit(0))

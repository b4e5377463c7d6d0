/** The baseline: a minimal node:http server that sends redirects with the headers of the service. Records nothing. */
import { createServer } from 'node:http'

import { links } from '../lib/links.js'

/** The headers of the service, alternating names and values. Values that differ per response are replaced below. */
const { headers } = JSON.parse(process.argv[2])
const locations = new Map(links().map(({ slug, url }) => [slug, url]))
const valueIndexes = { location: -1, 'x-request-id': -1 }
for (let i = 0; i < headers.length; i += 2)
  if (headers[i].toLowerCase() in valueIndexes) valueIndexes[headers[i].toLowerCase()] = i + 1
let requests = 0

const server = createServer((request, response) => {
  const location = locations.get(request.url.slice(1))
  if (location === undefined) return response.writeHead(404).end()
  const responseHeaders = headers.slice()
  responseHeaders[valueIndexes.location] = location
  responseHeaders[valueIndexes['x-request-id']] = `bench-${(++requests).toString(36)}`
  response.writeHead(302, responseHeaders)
  response.end()
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit(0))

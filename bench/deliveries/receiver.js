/**
 * A receiver that responds immediately and reports when all expected deliveries have arrived. /hang never responds,
 * /slow responds after ten seconds, /later after 50 ms, and /close closes the connection after each response.
 */
import { createServer } from 'node:http'

let count = 0
let expectedCount = Infinity
/** The delays since the time of the event, if requested. */
let delays = null

const server = createServer((request, response) => {
  const at = Date.now()
  if (request.url.startsWith('/hang')) return
  if (request.url.startsWith('/slow')) return setTimeout(() => response.end('ok'), 10_000)
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    if (delays) body += part
  })
  request.on('end', () => {
    if (request.url.startsWith('/close')) response.setHeader('connection', 'close')
    response.writeHead(200, { 'content-length': 2 })
    if (request.url.startsWith('/later')) setTimeout(() => response.end('ok'), 50)
    else response.end('ok')
    count += 1
    if (delays) delays.push(at - Date.parse(JSON.parse(body).timestamp))
    if (count === expectedCount) process.send({ at: Date.now(), delays })
  })
})

process.on('message', ({ expect, timed = false }) => {
  count = 0
  expectedCount = expect
  delays = timed ? [] : null
  process.send({ ready: true })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

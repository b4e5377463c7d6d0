/**
 * Responds to every delivery at once, and reports how many arrived. Under /hang it never responds, under /slow after ten
 * seconds, under /later after 50 ms, and under /close it closes the connection after each response.
 */
import { createServer } from 'node:http'

let count = 0
let wanted = Infinity
/** By the event's own time; only when asked for. */
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
    if (count === wanted) process.send({ at: Date.now(), delays })
  })
})

process.on('message', ({ expect, timed = false }) => {
  count = 0
  wanted = expect
  delays = timed ? [] : null
  process.send({ ready: true })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

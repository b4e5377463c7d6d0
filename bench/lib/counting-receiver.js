/** A receiver that responds immediately, and reports the number of deliveries on any message. */
import { createServer } from 'node:http'

let count = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    count += 1
    response.writeHead(200, { 'content-length': 2 })
    response.end('ok')
  })
})
process.on('message', () => process.send({ count }))
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }))

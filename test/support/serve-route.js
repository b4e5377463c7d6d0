/** `node serve-route.js FILE`: serves the POST function of a Next.js route on PORT, without Next.js. */
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { POST } = await import(pathToFileURL(resolve(process.argv[2])).href)

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { status } = await POST(
    new Request('http://localhost/hooks', {
      method: 'POST',
      headers: request.headers,
      body: Buffer.concat(chunks),
    }),
  )
  response.writeHead(status).end()
})
server.listen(Number(process.env.PORT), '127.0.0.1')

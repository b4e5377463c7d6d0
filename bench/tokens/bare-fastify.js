/** The baseline: a Fastify route that answers a constant record. */
import fastify from 'fastify'

const record = JSON.parse(process.argv[2])
const server = fastify()
server.get('/api/v1/auth/token/self', () => record)
await server.listen({ port: 0, host: '127.0.0.1' })
process.on('message', () => process.send(process.cpuUsage()))
process.on('disconnect', () => process.exit(0))
process.send({ port: server.server.address().port })

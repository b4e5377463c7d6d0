/**
 * What a token check costs: in process, and as the share of a bare Fastify route's requests per second that the
 * authenticated `GET /v1/auth/token/self` reaches. Run after a build: node bench/tokens/run.js
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import autocannon from 'autocannon'

const rounds = 5
const seconds = 4
const connections = 64

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))

const service = fork(here('./service.js'), [folder])
const [{ port, token }] = await once(service, 'message')
const url = `http://127.0.0.1:${port}/api/v1/auth/token/self`
const record = await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()
const bare = fork(here('./bare-fastify.js'), [record])
const [{ port: barePort }] = await once(bare, 'message')

service.send('check')
const [{ microseconds }] = await once(service, 'message')
console.log(
  `warm check in process, µs: p50 ${microseconds[0].toFixed(1)}, p99 ${microseconds[1].toFixed(1)}, p99.9 ${microseconds[2].toFixed(1)}`,
)

const ratios = []
for (let round = 0; round <= rounds; round++) {
  const bareRate = await rate(barePort)
  const serviceRate = await rate(port)
  if (round === 0) continue // warming up
  ratios.push(serviceRate / bareRate)
  console.log(
    `round ${round}: bare Fastify ${Math.round(bareRate)}/s, self ${Math.round(serviceRate)}/s, ratio ${(serviceRate / bareRate).toFixed(2)}`,
  )
}
console.log(`ratio, median of ${rounds}: ${ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)].toFixed(2)}`)

bare.kill()
service.send('stop')
await once(service, 'exit')
await rm(folder, { recursive: true, force: true })

async function rate(to) {
  const result = await autocannon({
    url: `http://127.0.0.1:${to}/api/v1/auth/token/self`,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

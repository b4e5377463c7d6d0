/** The process of `npm run cluster` that starts all others. Stops them when its standard input ends. */
import { register } from 'node:module'

import { prettyLine } from '../dist/platform/util/pretty-log.js'
import { say } from './fresh.js'

register('./typescript-loader.js', import.meta.url)
const { Cluster } = await import('../test/support/cluster.js')

let isStopping = false
const stopRequest = new Promise((resolve) => process.stdin.once('end', resolve).resume())
void stopRequest.then(() => {
  isStopping = true
  say('Stopping the cluster …')
})

const hasColor = process.stderr.isTTY === true && process.env.NO_COLOR === undefined
const onLogLine = (name, line) => {
  if (!isStopping) say(`${name}: ${prettyLine(line, { hasColor })}`)
}

try {
  say('Starting the cluster …')
  const cluster = await Cluster.start({
    settingsOf: () => ({ LOG_LEVEL: 'warn', ...process.env }),
    onLogLine,
  })
  if (!isStopping) console.log(describeCluster(cluster))
  await stopRequest
  await cluster.stop()
  process.exit(0)
} catch (error) {
  say(`The cluster did not start: ${error.message}`)
  process.exit(1)
}

function describeCluster({ haproxy, token, replicas, postgres, redis }) {
  const processes = replicas.map(
    ({ name, port, process: { pid } }) => `  ${name.padEnd(11)}http://127.0.0.1:${port}, process ${pid}`,
  )
  return [
    `The cluster runs at ${haproxy.origin}`,
    '',
    `  token      ${token}`,
    `  API        ${haproxy.origin}/api/v1`,
    `  PostgreSQL ${postgres.url}`,
    `  Redis      ${redis.url}`,
    ...processes,
    '',
    'Press Ctrl-C to stop it and to delete its data.',
  ].join('\n')
}

/**
 * The duration of `npm test`.
 *
 *     node bench/tests/run.js
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { heading, line, summary } from '../lib/report.js'
import { runBenchmark } from '../lib/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

await runBenchmark({ minutes: 30 }, async (undo) => {
  heading('tests')
  const began = performance.now()
  const child = spawn('npm', ['test'], { cwd: root, stdio: 'ignore' })
  const closed = once(child, 'exit')
  undo(async () => {
    child.kill()
    await closed
  })
  const [code] = await closed
  const seconds = (performance.now() - began) / 1000
  line('npm test', {
    figure: `${seconds.toFixed(0)} s`,
    judged: seconds,
    goal: { atMost: 120 },
    goalText: '≤ 120 s',
    budget: '`npm test`',
  })
  summary()
  if (code !== 0) throw new Error(`npm test failed (${code})`)
})

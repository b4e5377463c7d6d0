// Holds the embedded database in a separate process: `node hold-database.js <data folder> <service|command>`.
// Reports each step as a JSON line, and releases the database when its standard input ends.
import { openEmbeddedDatabase } from '../../dist/platform/database/embedded/embedded-postgres.js'

const [dataDir, use] = process.argv.slice(2)
const report = (step) => process.stdout.write(`${JSON.stringify(step)}\n`)

try {
  const database = await openEmbeddedDatabase({ dataDir, use })
  database.onLost((error) => report({ step: 'lost', message: error.message }))
  report({ step: 'open', url: database.url })
  await new Promise((resolve) => process.stdin.on('end', resolve).resume())
  await database.release()
  report({ step: 'released' })
} catch (error) {
  report({ step: 'failed', name: error.name, message: error.message })
}

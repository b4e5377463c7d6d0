/** `npm run psql [-- psql options]`: opens the database, whether or not the service runs. */
import { main, makeFresh, run, say } from './fresh.js'

await main(async () => {
  await makeFresh()
  const { history } = await import('../dist/migrations/history.js')
  const { readEnvironment } = await import('../dist/platform/config/env.js')
  const { openExistingDatabase } = await import('../dist/platform/database/open-database.js')
  const database = await openExistingDatabase(readEnvironment(), history).catch((error) => {
    say(error.message)
    process.exit(1)
  })
  const url = new URL(database.settings.databaseUrl)
  // Pass the password in the environment, because all users of the machine can read arguments.
  process.env.PGPASSWORD = decodeURIComponent(url.password)
  url.password = ''
  try {
    await run('psql', [url.href, ...process.argv.slice(2)], { output: 'as it is' })
  } finally {
    await database.release()
  }
})

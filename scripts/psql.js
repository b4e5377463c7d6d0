/** `npm run psql [-- options of psql]`: a session in the service's database, beside the service or without it. */
import { main, makeFresh, run, say } from './fresh.js'

await main(async () => {
  await makeFresh()
  const { history } = await import('../dist/migrations/history.js')
  const { environment, readSettings } = await import('../dist/platform/config/env.js')
  const { openExistingDatabase } = await import('../dist/platform/database/open-database.js')
  const database = await openExistingDatabase(readSettings(environment()), history).catch((error) => {
    say(error.message)
    process.exit(1)
  })
  const address = new URL(database.settings.databaseUrl)
  // Not among the arguments, which every user of the machine can read.
  process.env.PGPASSWORD = decodeURIComponent(address.password)
  address.password = ''
  try {
    await run('psql', [address.href, ...process.argv.slice(2)], { output: 'as it is' })
  } finally {
    await database.release()
  }
})

/** `npm run psql [-- options of psql]`: opens the service's database, beside the service or without it. */
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
  const address = new URL(database.settings.databaseUrl)
  // The password is not among the arguments, because every user of the machine can read those.
  process.env.PGPASSWORD = decodeURIComponent(address.password)
  address.password = ''
  try {
    await run('psql', [address.href, ...process.argv.slice(2)], { output: 'as it is' })
  } finally {
    await database.release()
  }
})

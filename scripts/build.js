/** `npm run build`: installs packages and builds outdated parts. */
import { main, makeFresh, say } from './fresh.js'

await main(async () => {
  await makeFresh()
  say('The build is up to date.')
})

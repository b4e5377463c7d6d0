/** `npm run build`: installs packages and builds parts that are not up to date. */
import { main, makeFresh, say } from './fresh.js'

await main(async () => {
  await makeFresh()
  say('dist is what the sources say.')
})

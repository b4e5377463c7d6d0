/** `npm run build`: installs and builds what is not up to date. */
import { main, makeFresh, say } from './fresh.js'

await main(async () => {
  await makeFresh()
  say('dist is what the sources say.')
})

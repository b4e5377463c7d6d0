/**
 * The runner of Jest 30.5 makes an AsyncLocalStorage for each spec file and leaves it in use. Up to Node 22 every promise of
 * the process then visits all of them, so each file made the next ones slower: a tenth of the time of a whole run.
 */
import asyncHooks from 'node:async_hooks'

const { AsyncLocalStorage } = asyncHooks

/** Until `end`, keeps what is made; the runner is loaded in between. */
export function collectContexts() {
  const made = []
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...options) {
      super(...options)
      made.push(this)
    }
  }
  return {
    end: () => {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage
    },
    disable: () => {
      for (const context of made) context.disable()
    },
  }
}

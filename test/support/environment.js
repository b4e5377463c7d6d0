/**
 * The environment of every spec file. Jest's runner makes an AsyncLocalStorage for each spec file and disables none (30.5).
 * Before Node.js 24 every promise of the process has a value copied for each of them: after fifty files that was a tenth of
 * all the processor time, so those of a file end with it.
 */
import { createRequire } from 'node:module'

import { TestEnvironment } from 'jest-environment-node'

// The runner takes the class from here when a spec file begins.
const hooks = createRequire(import.meta.url)('node:async_hooks')
const storages = new Set()

hooks.AsyncLocalStorage = class extends hooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options)
    storages.add(this)
  }
}

export default class extends TestEnvironment {
  async teardown() {
    for (const storage of storages) storage.disable()
    storages.clear()
    await super.teardown()
  }
}

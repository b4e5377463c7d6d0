/** The environment of every spec file. Keeps the shared service running until the last spec file of the process. */
import { AsyncLocalStorage } from 'node:async_hooks'

import { TestEnvironment } from 'jest-environment-node'

import { keepSharedService, leaveSharedService } from './shared-service.js'

/** Jest's stores of the current spec file, which name the running test. */
const jestStores = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (value, ...others) {
  if (value && typeof value === 'object' && 'test' in value) jestStores.add(this)
  return run.call(this, value, ...others)
}

export default class FileEnvironment extends TestEnvironment {
  async setup() {
    keepSharedService()
    await super.setup()
  }

  async teardown() {
    await super.teardown()
    leaveSharedService()
    // Jest leaves a store enabled per file, and on Node 20 each one slows every later promise of the process.
    for (const store of jestStores) store.disable()
    jestStores.clear()
  }
}

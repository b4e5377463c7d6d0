/** The environment of every spec file: the service that files of one process share stays until the last of them is done. */
import { TestEnvironment } from 'jest-environment-node'

import { collectContexts } from './finished-contexts.js'
import { keepSharedService, leaveSharedService } from './shared-service.js'

export default class FileEnvironment extends TestEnvironment {
  async setup() {
    keepSharedService()
    await super.setup()
    this.contexts = collectContexts()
  }

  handleTestEvent({ name }) {
    // The runner is loaded.
    if (name === 'setup') this.contexts.end()
  }

  async teardown() {
    this.contexts?.end()
    this.contexts?.disable()
    await super.teardown()
    leaveSharedService()
  }
}

/** The environment of every spec file. Keeps the shared service running until the last spec file of the process. */
import { TestEnvironment } from 'jest-environment-node'

import { keepSharedService, leaveSharedService } from './shared-service.js'

export default class FileEnvironment extends TestEnvironment {
  async setup() {
    keepSharedService()
    await super.setup()
  }

  async teardown() {
    await super.teardown()
    leaveSharedService()
  }
}

/** The environment of every spec file. It keeps the service of the process until its last spec file is done. */
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

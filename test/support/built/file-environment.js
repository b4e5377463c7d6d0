/** The environment of every spec file: the service that files of one process share stays until the last of them is done. */
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

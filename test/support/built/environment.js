/**
 * The environment of the specs that start the service. Jest gives each spec file a world of its own; the service and the
 * framework would be loaded anew in each, which takes longer than most specs. They are loaded outside, once in each of
 * Jest's processes, and `modules.js` hands them in.
 */
import FileEnvironment from './file-environment.js'

/** Asking Node's loader again for each module of each spec file would cost more than all that the modules do. */
const outside = new Map()
function importOutside(url) {
  if (!outside.has(url)) outside.set(url, import(url))
  return outside.get(url)
}

export default class extends FileEnvironment {
  async setup() {
    await super.setup()
    this.global.importOutside = importOutside
    // What the decorators of a spec declare must be found by the framework outside, and what it sets in the environment too.
    this.global.Reflect = Reflect
    // A Date of the service is one for `expect.any(Date)`.
    this.global.Date = Date
    this.global.process.env = process.env
  }
}

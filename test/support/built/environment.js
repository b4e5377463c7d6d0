/**
 * The environment of specs that start the service. Jest gives each spec file a world of its own. Loading the service
 * and the framework in each world would take longer than most specs. So they are loaded outside, once in each process
 * of Jest, and `modules.js` hands them in.
 */
import FileEnvironment from './file-environment.js'

/** Keeps loaded modules. Asking Node's loader again for each spec file would take longer than the modules run. */
const outside = new Map()
function importOutside(url) {
  if (!outside.has(url)) outside.set(url, import(url))
  return outside.get(url)
}

export default class extends FileEnvironment {
  async setup() {
    await super.setup()
    this.global.importOutside = importOutside
    // The framework outside must find what decorators of a spec declare, and the environment variables that it sets.
    this.global.Reflect = Reflect
    // Dates of the service must match `expect.any(Date)` in specs.
    this.global.Date = Date
    this.global.process.env = process.env
  }
}

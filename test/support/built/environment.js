/**
 * The environment of specs that start the service. Jest gives each spec file its own module registry, and loading the
 * service and the framework takes longer than most specs. Therefore they are loaded once per Jest process outside the
 * registries, and `modules.js` provides them.
 */
import FileEnvironment from './file-environment.js'

/** Caches loaded modules, because Node's loader is slow. */
const outside = new Map()
function importOutside(url) {
  if (!outside.has(url)) outside.set(url, import(url))
  return outside.get(url)
}

export default class extends FileEnvironment {
  async setup() {
    await super.setup()
    this.global.importOutside = importOutside
    // The framework must see metadata from decorators in a spec, and environment variables that the spec sets.
    this.global.Reflect = Reflect
    // Dates created by the service must match `expect.any(Date)`.
    this.global.Date = Date
    this.global.process.env = process.env
  }
}

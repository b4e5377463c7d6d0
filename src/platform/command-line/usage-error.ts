import { StartupError } from '../config/startup-error.js'

/** A mistake on the command line that only the command itself can find. The exit code is 2, as for commander's own. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

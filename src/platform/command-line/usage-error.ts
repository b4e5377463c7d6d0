import { StartupError } from '../config/startup-error.js'

/** A usage error that commander cannot detect. The exit code is 2, as for commander's own errors. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

import { StartupError } from '../config/startup-error.js'

/** Words on the command line that mean nothing here; by convention the exit code is 2. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

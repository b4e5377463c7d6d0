/** A start that cannot go on for a reason the operator can mend. Its message is the one line they see. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** Words on the command line that mean nothing here; by convention the exit code is 2. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

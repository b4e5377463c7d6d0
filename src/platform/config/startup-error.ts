/** A failure that the operator can fix. The command prints only its message, on one line. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** A usage error that commander cannot detect. The exit code is 2, as for commander's own errors. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}

/** A failure that the operator can fix. The command prints only its message, on one line. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** A failure that the operator can fix. The command prints only its message, in one line. */
export class StartupError extends Error {
  override name = 'StartupError'
}

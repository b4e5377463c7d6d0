/** A start that cannot go on for a reason the operator can mend. Its message is the one line they see. */
export class StartupError extends Error {
  override name = 'StartupError'
}

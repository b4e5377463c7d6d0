import type { ErrorClass, OutcomeError, TlsFault } from './outcome.js'

/** Why an attempt failed, in a sentence for the person whose receiver it is. */
export class Failure extends Error {
  override name = 'Failure'

  constructor(
    readonly kind: ErrorClass,
    message: string,
    readonly tlsFault?: TlsFault,
  ) {
    super(message)
  }

  asOutcome(): OutcomeError {
    const { kind, message, tlsFault } = this
    return tlsFault === undefined ? { class: kind, message } : { class: kind, message, tlsFault }
  }
}

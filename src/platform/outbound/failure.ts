import type { ErrorClass } from './outcome.js'

/** Why an attempt failed, in a sentence for the person whose receiver it is. */
export class Failure extends Error {
  override name = 'Failure'

  constructor(
    readonly kind: ErrorClass,
    message: string,
  ) {
    super(message)
  }
}

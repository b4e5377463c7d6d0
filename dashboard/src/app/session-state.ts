import { signal } from '@preact/signals'
import type { ResultOf } from '@link-service/client'

/** False once a response says that the session is missing or over. Null until the first response. */
export const isSignedIn = signal<boolean | null>(null)

export type Me = ResultOf<'getOwnToken'>

/** The token of the session. */
export const me = signal<Me | null>(null)

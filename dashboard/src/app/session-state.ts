import { signal } from '@preact/signals'

/** False once a response says that the session is missing or over. Null until the first response. */
export const isSignedIn = signal<boolean | null>(null)

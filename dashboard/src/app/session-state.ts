import { signal } from '@preact/signals'

/** False once an answer says that nobody is signed in. Null until the first answer. */
export const isSignedIn = signal<boolean | null>(null)

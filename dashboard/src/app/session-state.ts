import { signal } from '@preact/signals'

/** False once an answer says so; null until the first answer. */
export const isSignedIn = signal<boolean | null>(null)

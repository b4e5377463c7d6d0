/** How long a session lives without being used. */
export const idleMs = 12 * 3_600_000
/** How long it lives in all. */
export const lifeMs = 7 * 86_400_000
/** How long a code signs in. */
export const codeLifeMs = 10 * 60_000
/** Attempts to sign in from one address: enough for people, and far too few to try values. */
export const signIns = { limit: 20, windowSeconds: 60 }
/** Sessions that a process knows without asking. */
export const mostSessions = 10_000

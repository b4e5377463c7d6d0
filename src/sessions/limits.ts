import { dayMs } from '../platform/util/days.js'

/** How long a session lives without being used. */
export const idleMs = 12 * 3_600_000
/** How long a session lives in all, even if it is used. */
export const lifeMs = 7 * dayMs
/** How long a sign-in code is valid. */
export const codeLifeMs = 10 * 60_000
/** Attempts to sign in from one address: enough for people, and far too few to try values. */
export const signIns = { limit: 20, windowSeconds: 60 }
/** How many sessions a process keeps in memory. */
export const mostSessions = 10_000

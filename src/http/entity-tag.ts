import { createHash } from 'node:crypto'

import { Problem } from './problem.js'

/**
 * A strong tag of what a caller can change. Fields that a class lists as `static volatile` (counters, times of use, a
 * value shown once) are left out: a click must not make somebody's careful change fail.
 */
export function entityTag(resource: object): string {
  const { volatile = [] } = resource.constructor as { volatile?: readonly string[] }
  const lasting = Object.entries(resource).filter(([name]) => !volatile.includes(name))
  return `"${createHash('sha256').update(JSON.stringify(lasting)).digest('base64url').slice(0, 27)}"`
}

/** Honours If-Match: the change goes on only when the caller has seen the present version. */
export function requireMatch(ifMatch: string | undefined, present: object): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const named = ifMatch.split(',').map((tag) => tag.trim())
  if (!named.includes(entityTag(present))) throw new Problem('precondition_failed')
}

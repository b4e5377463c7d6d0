/** Updates without lost changes: read, compute the change, write if the object is unchanged, otherwise start again. */
import { PreconditionFailedError } from './errors.js'
import { etagOf } from './etag.js'
import type { CallOptions, UpdateOptions } from './options.js'

const maxRounds = 5

/** A change, or a function that computes it from the current version. Null or undefined changes nothing. */
export type Change<T, Patch> =
  Patch | ((current: T) => Patch | null | undefined | Promise<Patch | null | undefined>)

export async function update<T extends object, Patch extends object>(
  change: Change<T, Patch>,
  { ifMatch, ...options }: UpdateOptions,
  read: (options: CallOptions) => Promise<T>,
  write: (patch: Patch, options: UpdateOptions) => Promise<T>,
): Promise<T> {
  if (typeof change !== 'function') return write(change, { ...options, ifMatch })
  if (ifMatch !== undefined)
    throw new TypeError('Pass either a function or ifMatch. A function always receives the current version.')
  for (let round = 1; ; round++) {
    const current = await read(options)
    const patch = await change(current)
    if (!patch) return current
    try {
      return await write(patch, { ...options, ifMatch: etagOf(current) })
    } catch (error) {
      if (!(error instanceof PreconditionFailedError) || round === maxRounds) throw error
    }
  }
}

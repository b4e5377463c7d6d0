/** Decides how the live workers share the lanes. */

export interface LiveWorker {
  id: string
  /** Number of lanes that the worker holds. */
  lanes: number
}

/** Returns the maximum number of lanes of a worker: an equal share, or Infinity without other live workers. */
export function maxLanes(own: number, others: readonly LiveWorker[]): number {
  if (others.length === 0) return Infinity
  const total = others.reduce((sum, { lanes }) => sum + lanes, own)
  return Math.ceil(total / (others.length + 1))
}

/** Returns the ID of the new holder for each of `count` lanes. Each lane goes to the worker with the fewest lanes. */
export function assignLanes(count: number, others: readonly LiveWorker[]): string[] {
  if (others.length === 0) return []
  const workers = others.map((worker) => ({ ...worker }))
  return Array.from({ length: count }, () => {
    const fewest = workers.reduce((least, worker) => (worker.lanes < least.lanes ? worker : least))
    fewest.lanes += 1
    return fewest.id
  })
}

/** Decides how the live workers share the lanes. */

export interface LiveWorker {
  id: string
  /** How many lanes the worker holds. */
  lanes: number
}

/** The most lanes that a worker keeps while other live workers hold fewer. */
export function shareOf(own: number, others: readonly LiveWorker[]): number {
  if (others.length === 0) return Infinity
  const held = others.reduce((sum, { lanes }) => sum + lanes, own)
  return Math.ceil(held / (others.length + 1))
}

/** The workers that get `count` lanes, one ID for each lane. The worker with the fewest lanes comes first. */
export function dealLanes(count: number, others: readonly LiveWorker[]): string[] {
  if (others.length === 0) return []
  const workers = others.map((worker) => ({ ...worker }))
  return Array.from({ length: count }, () => {
    const fewest = workers.reduce((least, worker) => (worker.lanes < least.lanes ? worker : least))
    fewest.lanes += 1
    return fewest.id
  })
}

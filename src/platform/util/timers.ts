/**
 * What a process does again and again, for itself: one run at a time, since the wait begins when a run has ended. What
 * must be done once over all replicas is a job that comes by itself instead (platform/queue/jobs.ts).
 */
interface Repetition {
  work: () => Promise<void> | void
  /** The wait after a run; a function of how long the run took, where long runs should come less often. */
  waitMs: number | ((tookMs: number) => number)
  /** Replaces the usual wait after a failure. */
  afterFailureMs?: number
  firstWaitMs?: number
  /** Absent for work that cannot fail. */
  onFailure?: (error: Error) => void
}

/** Returns what ends it. A run that is under way then ends by itself. */
export function every({ work, waitMs, afterFailureMs, firstWaitMs, onFailure }: Repetition): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout
  const afterRun = (tookMs: number) => (typeof waitMs === 'number' ? waitMs : waitMs(tookMs))
  const wait = (ms: number) => {
    if (!isStopped) timer = setTimeout(run, ms).unref()
  }
  const run = () => {
    const startedAt = performance.now()
    const ended = () => wait(afterRun(performance.now() - startedAt))
    const failed = (error: unknown) => {
      if (!onFailure) throw error
      onFailure(error as Error)
      wait(afterFailureMs ?? afterRun(performance.now() - startedAt))
    }
    let running: Promise<void> | void
    try {
      running = work()
    } catch (error) {
      return failed(error)
    }
    if (running) running.then(ended, failed)
    else ended()
  }
  wait(firstWaitMs ?? afterRun(0))
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Resolves with what the work gives, or with `late` when it takes longer. The work itself goes on. */
export async function withTimeout<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, ms, late).unref()
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Work that every process repeats. Runs never overlap, because the wait starts when a run has ended. Work that must run
 * once across all replicas is a repeated job instead (platform/queue/jobs.ts).
 */
interface Repetition {
  work: () => Promise<void> | void
  /** The wait after a run. A function of the duration can make long runs less frequent. */
  waitMs: number | ((tookMs: number) => number)
  /** Replaces the usual wait after a failure. */
  afterFailureMs?: number
  firstWaitMs?: number
  /** Absent for work that cannot fail. */
  onFailure?: (error: Error) => void
}

/** Repeats the work. Returns a function that stops the repetition, without interrupting the current run. */
export function runPeriodically({
  work,
  waitMs,
  afterFailureMs,
  firstWaitMs,
  onFailure,
}: Repetition): () => void {
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

/** How long a shutdown waits for writes that may be lost, such as last-used times. */
export const lastWriteTimeoutMs = 500

/** Resolves with the result of the work, or with `late` after the timeout. The work itself continues. */
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

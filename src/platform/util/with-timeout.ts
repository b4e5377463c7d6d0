/** Waits for some work, but no longer than this; `late` stands for a result that has not come. The work itself goes on. */
export function withTimeout<T, Late>(work: Promise<T>, ms: number, late: Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Late>((resolve) => (timer = setTimeout(resolve, ms, late)))
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

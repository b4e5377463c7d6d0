/**
 * Runs a benchmark and its cleanup functions, in reverse order, even after an error or a signal. `work` receives a
 * function that registers a cleanup. After `minutes` the run is aborted.
 */
export async function runBenchmark({ minutes }, work) {
  const undo = []
  const undoAll = async () => {
    while (undo.length > 0) {
      try {
        await undo.pop()()
      } catch (error) {
        console.error(error)
      }
    }
  }
  let isAborted = false
  const abort = async (reason, code) => {
    // `npm run bench` forwards a signal that the terminal may have sent already.
    if (isAborted) return
    isAborted = true
    console.error(reason)
    await undoAll()
    process.exit(code)
  }
  process.once('SIGINT', () => void abort('stopped', 130))
  process.once('SIGTERM', () => void abort('stopped', 143))
  const limit = setTimeout(() => void abort(`aborted after ${minutes} minutes`, 1), minutes * 60_000)
  try {
    await work((step) => undo.push(step))
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    clearTimeout(limit)
    await undoAll()
  }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Polls until `isTrue` returns true. Returns false after `ms`. */
export async function waitUntil(isTrue, { ms, every = 100 }) {
  for (const end = performance.now() + ms; performance.now() < end; await pause(every))
    if (await isTrue()) return true
  return false
}

/** Runs a benchmark, and undoes whatever it began, in reverse order, however it ends. */

/**
 * `work` gets a function that takes what has to be undone. After `minutes` the run is given up, so that a benchmark
 * that hangs leaves nothing behind.
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
  const giveUp = async (reason, code) => {
    console.error(reason)
    await undoAll()
    process.exit(code)
  }
  process.once('SIGINT', () => void giveUp('stopped', 130))
  process.once('SIGTERM', () => void giveUp('stopped', 143))
  const limit = setTimeout(() => void giveUp(`given up after ${minutes} minutes`, 1), minutes * 60_000)
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

/** Asks until the answer is true; false when it never was. */
export async function waitUntil(isTrue, { ms, every = 100 }) {
  for (const end = performance.now() + ms; performance.now() < end; await pause(every))
    if (await isTrue()) return true
  return false
}

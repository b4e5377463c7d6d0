/** How a run is told to end: first to finish what is under way, and when that is asked for again, to leave it. */
export interface Stopping {
  asked: AbortSignal
  askedAgain: AbortSignal
}

// A terminal signals the whole group and npm passes the signal on, so the same one may come twice.
const sameAskingMs = 500

export function stopSignals(): Stopping {
  const [asked, again] = [new AbortController(), new AbortController()]
  let askedAt = Infinity
  const ask = () => {
    if (!asked.signal.aborted) askedAt = performance.now()
    else if (performance.now() - askedAt > sameAskingMs) again.abort()
    asked.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, ask)
  // Whoever read the lines has gone, as `head` does.
  process.stdout.on('error', ask)
  return { asked: asked.signal, askedAgain: again.signal }
}

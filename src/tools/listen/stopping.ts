/** How a run is told to end. The first request lets it finish the event under way, the second abandons that event. */
export interface Stopping {
  asked: AbortSignal
  askedAgain: AbortSignal
}

// A terminal signals the whole process group and npm passes the signal on, so it may arrive twice.
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
  // The reader of standard output has left, as `head` does.
  process.stdout.on('error', ask)
  return { asked: asked.signal, askedAgain: again.signal }
}

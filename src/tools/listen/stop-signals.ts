/** Stop signals. After the first signal, the event in flight is finished. A second signal abandons the event. */
export interface StopSignals {
  stop: AbortSignal
  abandon: AbortSignal
}

// A signal can arrive twice, because a terminal signals the process group and npm forwards the signal.
const duplicateSignalMs = 500

/** Listens for termination signals and for the end of standard output. */
export function listenForStop(): StopSignals {
  const [stop, abandon] = [new AbortController(), new AbortController()]
  let stoppedAt = Infinity
  const requestStop = () => {
    if (!stop.signal.aborted) stoppedAt = performance.now()
    else if (performance.now() - stoppedAt > duplicateSignalMs) abandon.abort()
    stop.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, requestStop)
  // Standard output was closed by its reader, such as `head`.
  process.stdout.on('error', requestStop)
  return { stop: stop.signal, abandon: abandon.signal }
}

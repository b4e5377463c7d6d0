interface Cancelable {
  cancel(): void
}

/**
 * Which requests end with which signal. A worker's requests share one signal, and a listener for each of them would make
 * adding and removing one as slow as there are requests.
 */
const waiting = new WeakMap<AbortSignal, Set<Cancelable>>()

export function cancelWith(signal: AbortSignal, request: Cancelable): void {
  const others = waiting.get(signal)
  if (others) return void others.add(request)
  const all = new Set([request])
  waiting.set(signal, all)
  signal.addEventListener('abort', () => all.forEach((one) => one.cancel()), { once: true })
}

export function cancelNoMore(signal: AbortSignal, request: Cancelable): void {
  waiting.get(signal)?.delete(request)
}

/** What a page reads: loading, failed or there. Data from before is shown at once, and read again meanwhile. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Resource<T> {
  data: T | null
  error: unknown
  isLoading: boolean
  reload: () => void
  /** Shows the answer to a change, without reading again. */
  set: (data: T) => void
}

const mostKept = 60
const kept = new Map<string, unknown>()

function keep(key: string, value: unknown): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

/** Drops all kept data, because another token may not see it. */
export function forgetAll(): void {
  kept.clear()
}

/** Reads ahead, so that the next page is there when it is asked for. */
export function prefetch<T>(key: string, load: (signal: AbortSignal) => Promise<T>): void {
  if (kept.has(key)) return
  load(new AbortController().signal).then(
    (value) => keep(key, value),
    () => undefined, // The page itself asks again, and says what is wrong.
  )
}

const failed = new Set<() => void>()

/** Reads all failed parts of a page again. A retry of one is meant for all. */
export function retryFailed(): void {
  for (const reload of [...failed]) reload()
}

export function retryWhenOnline(): void {
  addEventListener('online', retryFailed)
}

interface State<T> {
  key: string | null
  data: T | null
  error: unknown
  isLoading: boolean
}

/** `key` names the data: another key reads again, null reads nothing. `everyMs` repeats while the page is visible. */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs }: { everyMs?: number } = {},
): Resource<T> {
  const fresh = (): State<T> => {
    const data = key === null ? null : ((kept.get(key) ?? null) as T | null)
    return { key, data, error: null, isLoading: key !== null }
  }
  const [state, setState] = useState<State<T>>(fresh)
  const [round, setRound] = useState(0)
  const underWay = useRef<AbortController | null>(null)
  const loader = useRef(load)
  loader.current = load
  const current = state.key === key ? state : fresh()
  const giveUp = () => {
    underWay.current?.abort()
    underWay.current = null
  }

  useEffect(() => {
    if (key === null) return undefined
    const control = new AbortController()
    underWay.current = control
    setState((before) => (before.key === key ? { ...before, isLoading: true } : fresh()))
    loader.current(control.signal).then(
      (data) => {
        if (control.signal.aborted) return
        underWay.current = null
        keep(key, data)
        setState({ key, data, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (control.signal.aborted) return
        underWay.current = null
        setState((before) => ({ ...before, key, error, isLoading: false }))
      },
    )
    return giveUp
  }, [key, round])

  const hasFailed = current.error !== null
  useEffect(() => {
    if (!hasFailed) return undefined
    const reload = () => setRound((before) => before + 1)
    failed.add(reload)
    return () => failed.delete(reload)
  }, [hasFailed])

  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => {
      // A new round aborts the one before, so a service slower than the ticks would never be heard.
      if (!document.hidden && !underWay.current) setRound((before) => before + 1)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])

  return {
    data: current.data,
    error: current.error,
    isLoading: current.isLoading,
    reload: () => setRound((before) => before + 1),
    set: (data) => {
      // What is being read may be from before the change.
      giveUp()
      if (key !== null) keep(key, data)
      setState({ key, data, error: null, isLoading: false })
    },
  }
}

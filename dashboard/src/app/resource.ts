/** Data that a page reads from the API. Cached data is shown while it is reloaded. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Resource<T> {
  data: T | null
  error: unknown
  isLoading: boolean
  reload: () => void
  /** Shows the response of a change without reloading. */
  set: (data: T) => void
}

const maxCached = 60
const cache = new Map<string, unknown>()

function addToCache(key: string, value: unknown): void {
  cache.delete(key)
  cache.set(key, value)
  const [oldest] = cache.keys()
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
}

/** Clears the cache, because another token may not have access to its data. */
export function clearCache(): void {
  cache.clear()
}

/** Loads data into the cache before a page needs it. */
export function prefetch<T>(key: string, load: (signal: AbortSignal) => Promise<T>): void {
  if (cache.has(key)) return
  load(new AbortController().signal).then(
    (value) => addToCache(key, value),
    () => undefined, // The page loads the data again and shows the error.
  )
}

const failed = new Set<() => void>()

/** Reloads all failed parts of the page. */
export function retryFailed(): void {
  for (const reload of [...failed]) reload()
}

/** Makes `retryFailed` call `reload` while a part of the page has failed. */
export function useRetry(hasFailed: boolean, reload: () => void): void {
  useEffect(() => {
    if (!hasFailed) return undefined
    failed.add(reload)
    return () => failed.delete(reload)
  }, [hasFailed])
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

/** Loads the data that `key` names, or nothing if it is null. Reloads every `everyMs` while the page is visible. */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs }: { everyMs?: number } = {},
): Resource<T> {
  const initialState = (): State<T> => {
    const data = key === null ? null : ((cache.get(key) ?? null) as T | null)
    return { key, data, error: null, isLoading: key !== null }
  }
  const [state, setState] = useState<State<T>>(initialState)
  const [round, setRound] = useState(0)
  const activeRequest = useRef<AbortController | null>(null)
  const loader = useRef(load)
  loader.current = load
  const current = state.key === key ? state : initialState()
  const abortRequest = () => {
    activeRequest.current?.abort()
    activeRequest.current = null
  }

  useEffect(() => {
    if (key === null) return undefined
    const control = new AbortController()
    activeRequest.current = control
    setState((before) => (before.key === key ? { ...before, isLoading: true } : initialState()))
    loader.current(control.signal).then(
      (data) => {
        if (control.signal.aborted) return
        activeRequest.current = null
        addToCache(key, data)
        setState({ key, data, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (control.signal.aborted) return
        activeRequest.current = null
        setState((before) => ({ ...before, key, error, isLoading: false }))
      },
    )
    return abortRequest
  }, [key, round])

  const reload = () => setRound((before) => before + 1)
  useRetry(current.error !== null, reload)

  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(() => {
      // A new round aborts the running request, so with a slow service no request would ever complete.
      if (!document.hidden && !activeRequest.current) reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])

  return {
    data: current.data,
    error: current.error,
    isLoading: current.isLoading,
    reload,
    set: (data) => {
      // The running request may return data from before the change.
      abortRequest()
      if (key !== null) addToCache(key, data)
      setState({ key, data, error: null, isLoading: false })
    },
  }
}

/**
 * Returns whether all resources have loaded or failed, or `maxMs` have passed. A page waits for this if parts at its top
 * may be absent, so that a late part does not move the parts below.
 */
export function useAllLoaded(
  resources: readonly Pick<Resource<unknown>, 'data' | 'isLoading'>[],
  maxMs: number,
): boolean {
  const [isOver, setOver] = useState(false)
  const areLoaded = resources.every(({ data, isLoading }) => data !== null || !isLoading)
  useEffect(() => {
    if (areLoaded) setOver(true)
  }, [areLoaded])
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), maxMs)
    return () => clearTimeout(timer)
  }, [maxMs])
  return isOver || areLoaded
}

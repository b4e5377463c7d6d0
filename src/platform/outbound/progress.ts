/** How far one connection and the request on it have come. */
export class Progress {
  step: 'name' | 'connection' | 'handshake' | 'answer' | 'body' = 'name'
  remoteAddress: string | null = null
  /** Whether the connection was made for this request. */
  fresh = false
  dnsMs: number | null = null
  connectMs: number | null = null
  tlsMs: number | null = null
  sentAt: number | null = null
  /** From when the request was sent: how long the receiver thought about it. */
  firstByteMs: number | null = null
}

/** Waits for one step and notes how long it took, also when it failed. */
export async function timed<T>(work: Promise<T>, note: (ms: number) => void): Promise<T> {
  const start = performance.now()
  try {
    return await work
  } finally {
    note(performance.now() - start)
  }
}

/** The service's own settings, and what doctor says of it. */
import { rawCall } from './raw-call.js'

interface Setting {
  name: string
  value: unknown
  source: string
  description?: string
}

export interface Finding {
  status: string
  title: string
  detail: string | null
  remedy: string | null
}

export interface Instance {
  version: string | null
  settings: Setting[]
  findings: Finding[]
}

export function getInstance(signal: AbortSignal): Promise<Instance> {
  return rawCall('/v1/instance', { signal })
}

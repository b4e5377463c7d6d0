/** One question to the API, asked once: whoever looks at figures is there, and asks again. */
import { request } from 'undici'

import { StartupError } from '../../platform/config/startup-error.js'
import { version } from '../../platform/http/version.js'
import { plainLine } from '../../platform/outbound/safe-text.js'
import { explainNetworkError } from '../listen/network-error.js'

const timeoutMs = 30_000

export interface Api {
  base: string
  token: string
}

/** The text of the answer. */
export async function ask({ base, token }: Api, path: string, accept = 'application/json'): Promise<string> {
  const url = new URL(base + path)
  const headers = {
    accept,
    authorization: `Bearer ${token}`,
    'user-agent': `link-service-stats/${version}`,
  }
  try {
    const { statusCode, body } = await request(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
    const text = await body.text()
    if (statusCode === 200) return text
    throw new StartupError(`The service answered ${statusCode}: ${detailIn(text)}`)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `The service at ${base} cannot be asked: ${explainNetworkError(error as Error, url)}.`,
    )
  }
}

function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return plainLine(detail, 500)
  } catch {
    // Not the API's words.
  }
  return 'not as the API does. Is --api its address, such as http://localhost:3000/api?'
}

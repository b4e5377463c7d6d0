/** Uploads imports and waits for them. */
import type { ServiceResponse, Service } from '../service.js'
import { waitFor } from '../wait-for.js'

export interface ImportResponse {
  id: string
  status: string
  format: string
  bytes: number
  bytes_processed: number
  lines: number
  created: number
  updated: number
  skipped: number
  failed: number
  ignored_columns: string[]
  preview: {
    line: number
    outcome: string
    slug: string | null
    url: string
    title: string | null
    tags: string[]
    expires_at: string | null
  }[]
  error: string | null
  started_at: string | null
  finished_at: string | null
}

export interface ReportedLine {
  line: number
  errors: { field: string | null; code: string; detail: string }[]
  content: string
}

type Caller = Pick<Service, 'call' | 'token'>

export function upload(
  service: Caller,
  body: string | Uint8Array,
  query: Record<string, string> = {},
  {
    token = service.token,
    type = 'text/csv',
    headers = {},
  }: { token?: string; type?: string; headers?: Record<string, string> } = {},
): Promise<ServiceResponse> {
  const words = new URLSearchParams(query).toString()
  return service.call('POST', `/v1/imports${words && `?${words}`}`, {
    token,
    raw: body,
    headers: { 'content-type': type, ...headers },
  })
}

/** Uploads a file, and waits until the import ends. */
export async function importFile(...args: Parameters<typeof upload>): Promise<ImportResponse> {
  const [service, , , options] = args
  const response = await upload(...args)
  if (response.status !== 202) throw new Error(`no import was created: ${response.text}`)
  return waitForImport(service, response.body.id as string, options?.token)
}

export function waitForImport(service: Caller, id: string, token = service.token): Promise<ImportResponse> {
  return waitFor(`the end of ${id}`, async () => {
    const { body } = await service.call('GET', `/v1/imports/${id}`, { token })
    return body?.finished_at ? (body as ImportResponse) : null
  })
}

export async function readReport(
  service: Caller,
  id: string,
  token = service.token,
): Promise<ReportedLine[]> {
  const { text } = await service.call('GET', `/v1/imports/${id}/report`, {
    token,
    headers: { accept: 'application/x-ndjson' },
  })
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ReportedLine)
}

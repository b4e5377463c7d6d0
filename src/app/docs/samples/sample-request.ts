/** The example request of an operation, which the code samples of every language show. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { json } from '../../../platform/http/input/body.js'

type PathItem = OpenAPIObject['paths'][string]
export type DocumentedOperation = NonNullable<PathItem['get']>

export interface SampleRequest {
  operationId: string
  method: string
  /** URL of the API. */
  baseUrl: string
  /** URL of the request, without the query. */
  url: string
  /** Values of the path parameters, in the order of the path. */
  path: Readonly<Record<string, string>>
  query: SampleQuery
  /** JSON body, or null. */
  body: Readonly<Record<string, unknown>> | null
  /** Body that is not JSON, or null. */
  file: { type: string; text: string } | null
  needsToken: boolean
  isRedirect: boolean
  isStream: boolean
}

/** Builds the request from the examples of an operation. */
export function createSampleRequest(
  document: OpenAPIObject,
  place: { path: string; method: string },
  operation: DocumentedOperation,
): SampleRequest {
  const { operationId = '', servers = document.servers, security = [], responses } = operation
  const path = parameterExamples(operation, 'path')
  const { body, file } = bodyExamples(operation)
  const filledPath = place.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? name),
  )
  return {
    operationId,
    method: place.method.toUpperCase(),
    baseUrl: document.servers?.[0]?.url ?? '',
    url: `${servers?.[0]?.url ?? ''}${filledPath}`,
    path,
    query: { ...parameterExamples(operation, 'query'), ...sampleQueries[operationId] },
    body,
    file,
    needsToken: security.length > 0,
    isRedirect: '302' in responses,
    isStream: JSON.stringify(responses['200'] ?? null).includes('"text/event-stream"'),
  }
}

function parameterExamples(
  { parameters = [] }: DocumentedOperation,
  place: 'path' | 'query',
): Record<string, string> {
  const examples: Record<string, string> = {}
  for (const parameter of parameters) {
    if (!('name' in parameter) || parameter.in !== place) continue
    const { schema = {} } = parameter
    const example: unknown = parameter.example ?? ('example' in schema ? schema.example : undefined)
    if (typeof example === 'string') examples[parameter.name] = example
  }
  return examples
}

/** Returns the minimal JSON body, unless it is empty, or the body of the first other type. */
function bodyExamples({ requestBody }: DocumentedOperation): Pick<SampleRequest, 'body' | 'file'> {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {}
  const minimal = content[json]?.examples?.['minimal']
  if (minimal && 'value' in minimal) {
    const value = minimal.value as Record<string, unknown>
    return { body: Object.keys(value).length > 0 ? value : null, file: null }
  }
  const [type, media] = Object.entries(content).find(([name]) => name !== json) ?? []
  const schema = media?.schema
  if (type === undefined || !schema || !('example' in schema)) return { body: null, file: null }
  return { body: null, file: { type, text: String(schema.example) } }
}

/** Query parameters in code samples. The document has examples only for required parameters. */
type SampleQuery = Readonly<Record<string, string | number | boolean>>

const sampleQueries: Readonly<Record<string, SampleQuery>> = {
  listLinks: { tag: 'sale', sort: '-clicks' },
  revokeToken: { descendants: true },
  listDeliveries: { status: 'failed' },
  explainLink: { type: 'link.updated' },
  listEvents: { type: 'link.created' },
  listLinkClicks: { limit: 100 },
  listClicks: { after: '' },
  getAnalytics: { interval: '30d', group_by: 'country' },
  getLinkAnalytics: { interval: '7d', group_by: 'referrer_host' },
  createImport: { on_conflict: 'skip' },
  exportLinks: { tag: 'sale', format: 'csv' },
  listAuditEntries: { action: 'link.deleted' },
  exportAuditEntries: { created_after: '2026-01-01T00:00:00Z' },
}

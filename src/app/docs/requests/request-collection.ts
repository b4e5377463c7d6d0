/** The requests of the OpenAPI document for programs such as Postman, in an order in which they can run. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { json } from '../../../platform/http/input/body.js'
import { createSampleRequest } from '../samples/sample-request.js'
import type { DocumentedOperation, SampleRequest } from '../samples/sample-request.js'

export interface OptionalValue {
  name: string
  value: string
  description: string
}

export interface CollectedRequest {
  operationId: string
  title: string
  description: string
  method: string
  /** The URL with variables, without the query. */
  url: string
  query: (OptionalValue & { isRequired: boolean })[]
  /** Headers that the request can have. */
  optionalHeaders: OptionalValue[]
  body: { type: string; text: string } | null
  /** The variable that contains the token, or null. */
  token: string | null
  isRedirect: boolean
}

export interface RequestGroup {
  title: string
  description: string
  requests: CollectedRequest[]
}

export interface RequestCollection {
  groups: RequestGroup[]
  /** Values of the variables. */
  variables: ReadonlyMap<string, string>
}

/** Groups whose requests save variables for later groups. The others follow in the order of the document. */
const firstGroups = ['Links', 'Tokens', 'Webhooks', 'Clicks', 'Events']

/** Groups of requests that run later than the other requests of their section. */
const groupsByOperation: Readonly<Record<string, string>> = {
  followLink: 'Clicks',
  testWebhookFilter: 'Deliveries',
}

const deletions: Omit<RequestGroup, 'requests'> = {
  title: 'Delete',
  description: 'Deletes what the other requests created.',
}

export function collectRequests(document: OpenAPIObject): RequestCollection {
  const variables = new VariableCollector()
  variables.use('base_url', document.servers![0]!.url)
  variables.use('token', 'lsk_live_…')
  const groups = [...document.tags!, deletions].map((group): RequestGroup => {
    const title = 'name' in group ? group.name : group.title
    return { title, description: group.description ?? '', requests: [] }
  })
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item as Record<string, DocumentedOperation>)) {
      const sample = createSampleRequest(document, { path, method }, operation)
      // A stream does not end.
      if (sample.isStream) continue
      const title = getGroupTitle(sample, operation)
      groups
        .find((group) => group.title === title)!
        .requests.push(collect(path, operation, sample, variables))
    }
  return {
    groups: sortGroups(groups.filter(({ requests }) => requests.length > 0)),
    variables: variables.values,
  }
}

function getGroupTitle({ operationId, method }: SampleRequest, { tags }: DocumentedOperation): string {
  const isDeletion = method === 'DELETE' || /^(?:delete|revoke)/.test(operationId)
  return isDeletion ? deletions.title : (groupsByOperation[operationId] ?? tags![0]!)
}

function sortGroups(groups: RequestGroup[]): RequestGroup[] {
  const getGroupRank = ({ title }: RequestGroup) =>
    firstGroups.includes(title) ? firstGroups.indexOf(title) : Infinity
  return groups.toSorted((a, b) =>
    getGroupRank(a) === getGroupRank(b) ? 0 : getGroupRank(a) - getGroupRank(b),
  )
}

function collect(
  path: string,
  operation: DocumentedOperation,
  sample: SampleRequest,
  variables: VariableCollector,
): CollectedRequest {
  const { operationId, method, file, isRedirect } = sample
  const origin = operation.servers?.[0]?.url
  const base =
    origin === undefined
      ? '{{base_url}}'
      : variables.use(isRedirect ? 'short_url_base' : 'public_url', origin)
  const filledPath = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    variables.replaceParameter(name, sample.path[name] ?? ''),
  )
  return {
    operationId,
    title: operation.summary ?? operationId,
    description: operation.description ?? '',
    method,
    url: `${base}${filledPath}`,
    query: parametersIn(operation, 'query').map((parameter) => {
      const { name, description, required = false } = parameter
      const value = variables.replaceParameter(name, String(sample.query[name] ?? ''))
      return { name, value, description, isRequired: required }
    }),
    optionalHeaders: parametersIn(operation, 'header').map(({ name, description }) => ({
      name,
      value: '',
      description,
    })),
    body: sample.body ? { type: json, text: variables.replaceInBody(sample) } : file,
    token: tokenVariable(sample),
    isRedirect,
  }
}

interface DocumentedParameter {
  name: string
  in: string
  description: string
  required?: boolean
}

function parametersIn({ parameters = [] }: DocumentedOperation, place: string): DocumentedParameter[] {
  return (parameters as DocumentedParameter[]).filter((parameter) => parameter.in === place)
}

/** Variables by the prefix of the IDs that they replace in examples. */
const idVariables: Readonly<Record<string, string>> = {
  lnk: 'link_id',
  tok: 'token_id',
  wh: 'webhook_id',
  evt: 'event_id',
  dlv: 'delivery_id',
  clk: 'click_id',
  imp: 'import_id',
  ntt: 'notice_target_id',
  lsk: 'rotated_token',
}

/** Variables by the name of the parameters that they replace. */
const parameterVariables: Readonly<Record<string, string>> = { slug: 'slug' }

/** Variables and the members of responses that set them, by operation. */
export const savedVariables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createLink: { link_id: 'id', slug: 'slug' },
  createToken: { token_id: 'id' },
  rotateToken: { rotated_token: 'token' },
  createWebhook: { webhook_id: 'id' },
  listLinkClicks: { click_id: 'data[0].id' },
  listEvents: { event_id: 'data[0].id' },
  // The newest delivery may be a test, which cannot be redelivered.
  listDeliveries: { delivery_id: 'data.at(-1).id' },
  createImport: { import_id: 'id' },
  createNoticeTarget: { notice_target_id: 'id' },
}

/** Returns the variable with the token of a request. `revokeOwnToken` uses a token that another request creates. */
function tokenVariable({ operationId, needsToken }: SampleRequest): string | null {
  if (!needsToken) return null
  return operationId === 'revokeOwnToken' ? idVariables['lsk']! : 'token'
}

/** Replaces examples by variables, and collects the variables with the examples as their values. */
class VariableCollector {
  readonly values = new Map<string, string>()

  /** Returns a reference to a variable. */
  use(name: string, value: string): string {
    if (!this.values.has(name)) this.values.set(name, value)
    return `{{${name}}}`
  }

  replaceParameter(name: string, example: string): string {
    const variable = parameterVariables[name]
    return variable ? this.use(variable, example) : this.replaceId(example)
  }

  /** Returns the JSON text of a body. */
  replaceInBody({ operationId, body }: SampleRequest): string {
    return JSON.stringify(
      body,
      (name, value: unknown) => {
        if (typeof value !== 'string') return value
        return operationId === 'createWebhook' && name === 'url'
          ? this.use('webhook_url', value)
          : this.replaceId(value)
      },
      2,
    )
  }

  private replaceId(example: string): string {
    const prefix = /^([a-z]+)_/.exec(example)?.[1]
    const variable = prefix === undefined ? undefined : idVariables[prefix]
    return variable ? this.use(variable, example) : example
  }
}

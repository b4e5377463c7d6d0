/** Creates links and visits them. */
import { expectDocumented } from '../service.js'
import type { ServiceResponse, Service } from '../service.js'

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

export interface LinkResponse {
  id: string
  slug: string
  created_at: string
  updated_at: string
  clicks: { total: number; human: number }
}

export async function makeLink(
  service: Service,
  fields: Record<string, unknown> = {},
  token = service.token,
): Promise<LinkResponse> {
  const response = await service.call('POST', '/v1/links', {
    token,
    body: { url: 'https://target.example/page', ...fields },
  })
  if (response.status !== 201) throw new Error(`no link was created: ${response.text}`)
  return response.body as LinkResponse
}

/** Makes a link expire in the past. The change through the API makes every instance reload the link. */
export async function expire(service: Service, { slug, id }: LinkResponse): Promise<ServiceResponse> {
  await service.db.query("UPDATE links SET expires_at = '2001-01-01T00:00:00Z' WHERE slug = $1", [slug])
  return service.call('PATCH', `/v1/links/${id}`, { body: { title: 'Over', enabled: true } })
}

/** Requests a path like a browser. `headers` override those of the browser. */
export async function visit(
  service: Pick<Service, 'origin'>,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> {
  const response = await fetch(`${service.origin}/${path}`, {
    method,
    redirect: 'manual',
    headers: { 'user-agent': firefox, accept: '*/*', ...headers },
  })
  if (method === 'GET' || method === 'HEAD') {
    const text = await response.clone().text()
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
    const body: unknown = isJson && text ? JSON.parse(text) : null
    expectDocumented(method, '/slug', { status: response.status, headers: response.headers, text, body })
  }
  return response
}

/** Returns the status and body of an error, without its request ID. */
export function withoutInstance({ status, body }: ServiceResponse): unknown {
  return { status, body: { ...body, instance: null } }
}

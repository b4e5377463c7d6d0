/** A call as a command and as a program: the same call that the page makes, without any token. */
export interface Snippet {
  curl: string
  typescript: string
}

export interface SnippetCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path from `/v1` on. */
  path: string
  body?: unknown
  /** The call of the typed client, such as `links.create`. */
  call: string
  /** The arguments before the body, or without a body all arguments. */
  args?: readonly (string | object)[]
}

/** Where programs call the API, as the service has written it into the page. */
const apiPath = document.querySelector<HTMLMetaElement>('meta[name="api-path"]')?.content ?? '/api'

export function snippetOf({ method, path, body, call, args = [] }: SnippetCall): Snippet {
  const url = `${location.origin}${apiPath}${path}`
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellText(url)}`,
    `-H "Authorization: Bearer $LINK_SERVICE_TOKEN"`,
  ]
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${shellText(JSON.stringify(body))}`)
  const given = [
    ...args.map((arg) => JSON.stringify(arg)),
    ...(body === undefined ? [] : [JSON.stringify(body, null, 2)]),
  ]
  return {
    curl: lines.join(' \\\n  '),
    typescript: [
      `import { LinkService } from '@link-service/client'`,
      '',
      `const client = new LinkService({`,
      `  baseUrl: '${location.origin}${apiPath}',`,
      `  token: process.env.LINK_SERVICE_TOKEN,`,
      `})`,
      `const result = await client.${call}(${given.join(', ')})`,
    ].join('\n'),
  }
}

/** Quotes a text, so that a shell takes it as one word. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A call as a command and as a program: the same call that the page makes, without any token. */
export interface Snippet {
  curl: string
  typescript: string
}

export interface SnippetCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** From `/v1` on. */
  path: string
  body?: unknown
  /** The call of the typed client: `links.create`. */
  call: string
  /** What stands before the body among its arguments, or in its place. */
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

/** One word for a shell, whatever is in it. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

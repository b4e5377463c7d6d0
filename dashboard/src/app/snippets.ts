/** An API call of the page as a curl command and as TypeScript, without the token. */
export interface Snippet {
  curl: string
  typescript: string
}

export interface SnippetCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path, starting with `/v1`. */
  path: string
  body?: unknown
  /** The method of the client, such as `links.create`. */
  call: string
  /** The arguments before the body. */
  args?: readonly (string | object)[]
}

/** The public path of the API, which the service writes into the page. */
const apiPath = document.querySelector<HTMLMetaElement>('meta[name="api-path"]')?.content ?? '/api'

export function createSnippet({ method, path, body, call, args = [] }: SnippetCall): Snippet {
  const url = `${location.origin}${apiPath}${path}`
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(url)}`,
    `-H "Authorization: Bearer $LINK_SERVICE_TOKEN"`,
  ]
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(body))}`)
  const callArguments = [
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
      `const result = await client.${call}(${callArguments.join(', ')})`,
    ].join('\n'),
  }
}

/** Quotes text as one word for a shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

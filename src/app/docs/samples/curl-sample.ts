import type { SampleRequest } from './sample-request.js'

export function curlSample(request: SampleRequest): string {
  const { method, url, body, file } = request
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const options = [
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(request.isRedirect ? ['-i'] : []),
    ...(request.isStream ? ['-N'] : []),
  ]
  const lines = [['curl', ...options, shellQuote(query ? `${url}?${query}` : url)].join(' ')]
  if (request.needsToken) lines.push('-H "Authorization: Bearer $LINK_SERVICE_TOKEN"')
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${shellQuote(toJson(body))}`)
  if (file) lines.push(`-H 'Content-Type: ${file.type}'`, `--data-binary ${shellQuote(file.text)}`)
  return lines.join(' \\\n  ')
}

/** Returns short bodies on one line, with spaces. */
function toJson(body: object): string {
  const text = JSON.stringify(body, null, 2)
  const line = text.replace(/\n\s*/g, ' ')
  return line.length <= 60 ? line.replace(/^\{ | \}$/g, (edge) => edge.trim()) : text
}

/** Quotes text as one word for a shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

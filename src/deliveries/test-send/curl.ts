interface CurlRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Returns a POSIX shell command that resends the request byte for byte. */
export function toCurlCommand({ url, headers, body }: CurlRequest): string {
  return [
    // Without --globoff, curl expands brackets and braces in a URL.
    'curl --globoff -X POST',
    quoteShell(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    `--data-binary ${quoteShell(body)}`,
  ].join(' ')
}

/** Quotes text for a shell: between single quotes, only the single quote is special. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

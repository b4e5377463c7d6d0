interface CurlRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** A line for a POSIX shell that sends the same request again, to the byte. */
export function curlOf({ url, headers, body }: CurlRequest): string {
  return [
    // Without --globoff, brackets and braces in an address would be patterns.
    'curl --globoff -X POST',
    quoted(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(' ')
}

/** Between single quotes a shell takes every character as it is, but for the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

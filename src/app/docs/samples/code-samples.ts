/** Adds code samples to the operations of the OpenAPI document, in the format of Redoc. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { goSample } from './go-sample.js'
import { pythonSample } from './python-sample.js'
import { createSampleRequest } from './sample-request.js'
import type { DocumentedOperation, SampleRequest } from './sample-request.js'
import { typescriptSample } from './typescript-sample.js'

interface Language {
  lang: string
  label: string
  /** Returns null if the language has no sample for the operation. */
  write: (request: SampleRequest, operation: DocumentedOperation, document: OpenAPIObject) => string | null
}

/** The languages, in the order of the tabs. */
const languages: readonly Language[] = [
  { lang: 'Shell', label: 'curl', write: curlSample },
  { lang: 'TypeScript', label: 'TypeScript', write: typescriptSample },
  { lang: 'Python', label: 'Python', write: pythonSample },
  { lang: 'Go', label: 'Go', write: goSample },
]

export function addCodeSamples(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Record<string, DocumentedOperation>)) {
      const request = createSampleRequest(document, { path, method }, operation)
      const samples = languages.flatMap(({ lang, label, write }) => {
        const source = write(request, operation, document)
        return source === null ? [] : [{ lang, label, source }]
      })
      Object.assign(operation, { 'x-codeSamples': samples })
    }
  }
  return document
}

function curlSample(request: SampleRequest): string {
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

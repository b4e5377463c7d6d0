/** Adds code samples to the operations of the OpenAPI document, in the format of Redoc. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { curlSample } from './curl-sample.js'
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

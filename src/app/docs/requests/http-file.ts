/** Writes the requests as an .http file, for REST Client in VS Code and the HTTP client of JetBrains. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { collectRequests } from './request-collection.js'
import type { CollectedRequest } from './request-collection.js'

export function httpFile(document: OpenAPIObject): string {
  const { groups, variables } = collectRequests(document)
  const declarations = [...variables].map(([name, value]) => `@${name} = ${value}`)
  const requests = groups.flatMap((group) =>
    group.requests.map((request) => `### ${group.title}: ${request.title}\n\n${formatHttpRequest(request)}`),
  )
  return `${[declarations.join('\n'), ...requests].join('\n\n')}\n`
}

function formatHttpRequest({
  operationId,
  method,
  url,
  query,
  body,
  token,
  isRedirect,
}: CollectedRequest): string {
  const required = query.filter(({ isRequired }) => isRequired)
  const text = required.map(({ name, value }) => `${name}=${value}`).join('&')
  return [
    `# @name ${operationId}`,
    ...(isRedirect ? ['# @no-redirect'] : []),
    `${method} ${url}${text && `?${text}`}`,
    ...(token === null ? [] : [`Authorization: Bearer {{${token}}}`]),
    ...(body ? [`Content-Type: ${body.type}`, '', body.text.trimEnd()] : []),
  ].join('\n')
}

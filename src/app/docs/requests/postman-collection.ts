/** Writes the requests as a Postman collection, which Insomnia, Bruno and Hoppscotch can import too. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { collectRequests, savedVariables } from './request-collection.js'
import type { CollectedRequest, OptionalValue, RequestGroup } from './request-collection.js'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Accepts 409 `not_skippable`, because the delivery may already have been sent. */
const checkStatus = [
  "const isUnneeded = pm.response.code === 409 && pm.response.json().code === 'not_skippable'",
  "if (!isUnneeded) pm.test('The request succeeds', () => pm.expect(pm.response.code).to.be.below(400))",
]

/** A click is listed within a second of the visit. In a run of the collection, repeat the request until then. */
const waitForClick = [
  'if (pm.response.json().data.length === 0)',
  '  setTimeout(() => pm.execution.setNextRequest(pm.info.requestName), 250)',
]

export function postmanCollection(document: OpenAPIObject): object {
  const { groups, variables } = collectRequests(document)
  const { title, version } = document.info
  return {
    info: {
      name: title,
      version,
      description:
        'Set the variable `token`, and `webhook_url` to the URL of a receiver. Requests save the IDs of what they create, so that the collection can run as a whole. Run it against a test service, because it creates and deletes links, tokens and webhooks.',
      schema,
    },
    auth: bearer('token'),
    event: [script(checkStatus)],
    variable: [...variables].map(([key, value]) => ({ key, value })),
    item: groups.map(folder),
  }
}

function folder({ title, description, requests }: RequestGroup): object {
  return { name: title, description, item: requests.map(item) }
}

function item(request: CollectedRequest): object {
  const { operationId, title, description, method, token, body, isRedirect } = request
  const lines = [...saveScript(operationId), ...(operationId === 'listLinkClicks' ? waitForClick : [])]
  return {
    name: title,
    ...(lines.length > 0 ? { event: [script(lines)] } : {}),
    ...(isRedirect ? { protocolProfileBehavior: { followRedirects: false } } : {}),
    request: {
      method,
      description,
      url: createPostmanUrl(request),
      header: [
        ...(body ? [{ key: 'Content-Type', value: body.type }] : []),
        ...request.optionalHeaders.map(disabledEntry),
      ],
      ...(token === 'token' ? {} : { auth: token === null ? { type: 'noauth' } : bearer(token) }),
      ...(body ? { body: { mode: 'raw', raw: body.text } } : {}),
    },
  }
}

function createPostmanUrl({ url, query }: CollectedRequest): object {
  const required = query.filter(({ isRequired }) => isRequired)
  const text = required.map(({ name, value }) => `${name}=${value}`).join('&')
  const [host, ...path] = url.split('/')
  return {
    raw: text ? `${url}?${text}` : url,
    host: [host],
    path,
    query: query.map((parameter) => ({ ...disabledEntry(parameter), disabled: !parameter.isRequired })),
  }
}

function disabledEntry({ name, value, description }: OptionalValue): object {
  return { key: name, value, description, disabled: true }
}

function bearer(variable: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] }
}

function script(lines: readonly string[]): object {
  return { listen: 'test', script: { type: 'text/javascript', exec: lines } }
}

/** Returns the script that sets the variables of an operation. A list may be empty. */
function saveScript(operationId: string): string[] {
  return Object.entries(savedVariables[operationId] ?? {}).map(([name, member]) => {
    const isInList = member.startsWith('data')
    const set = `pm.collectionVariables.set('${name}', pm.response.json().${member})`
    return isInList ? `if (pm.response.json().data.length > 0) ${set}` : set
  })
}

/** The code samples in the OpenAPI document: TypeScript compiles, and curl and TypeScript send the same request. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import ts from 'typescript'

import { LinkService } from '@link-service/client'

import { scopes } from '../../../src/auth/scopes.js'
import { webhookTag } from '../../../src/events/event-document.js'
import { findDocumentedOperation, findSchemaErrors } from '../../support/openapi/document.js'
import { shareService } from '../../support/shared-service.js'
import type { Service } from '../../support/service.js'

interface Sample {
  lang: string
  label: string
  source: string
}

interface SentRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({
    id: operation.operationId as string,
    method: method.toUpperCase(),
    path,
    operation,
    samples: operation['x-codeSamples'] as Sample[],
  })),
)
const ids = operations.map(({ id }) => id)

const findOperation = (id: string) => operations.find((each) => each.id === id)!
const findSource = (id: string, lang: string) =>
  findOperation(id).samples.find((each) => each.lang === lang)!.source

/** Lets a shell parse the command, and returns the request that curl would send. */
function parseCurl(command: string): SentRequest {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const env = { LINK_SERVICE_TOKEN: 'TOKEN' }
  const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
  const request: SentRequest = { method: 'GET', url: '', headers: {}, body: null }
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-X') request.method = words.shift()!
    else if (word === '-H') {
      const [name = '', value = ''] = words.shift()!.split(/: (.*)/)
      request.headers[name.toLowerCase()] = value
    } else if (word === '-d' || word === '--data-binary') request.body = words.shift()!
    else if (!['-i', '-N'].includes(word)) request.url = word
  }
  return request
}

/** Runs a TypeScript sample and returns its last request. The response is an error, which ends the sample. */
async function runTypeScript(source: string): Promise<SentRequest> {
  const sent: SentRequest[] = []
  const stub = (input: string, { method = 'GET', headers = {}, body = null }: any = {}) => {
    sent.push({ method, url: input, headers, body })
    // The live stream starts after the newest click.
    const isFound = input.endsWith('after=latest')
    return Promise.resolve(
      Response.json({ data: [], has_more: false, next_cursor: 'c' }, { status: isFound ? 200 : 404 }),
    )
  }
  class StubbedClient extends LinkService {
    constructor(options: object) {
      super({ ...options, fetch: stub as typeof fetch })
    }
  }
  const { outputText } = ts.transpileModule(source.replace(/^import .*$/m, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2023 },
  })
  const AsyncFunction = (async () => {
    await Promise.resolve()
  }).constructor as any
  const run = AsyncFunction('LinkService', 'fetch', 'process', 'console', outputText)
  const process = { env: { LINK_SERVICE_TOKEN: 'TOKEN' } }
  await run(StubbedClient, stub, process, { log: () => undefined }).catch(() => undefined)
  return sent.at(-1)!
}

/** Returns the meaning of a request. The client may order query parameters and format JSON differently. */
function normalize({ method, url, headers, body }: SentRequest) {
  const { origin, pathname, searchParams } = new URL(url)
  const type = headers['content-type'] ?? null
  return {
    method,
    at: origin + pathname,
    query: [...searchParams].sort(),
    authorization: headers['authorization'] ?? null,
    type,
    body: type === 'application/json' ? JSON.parse(body!) : body,
  }
}

it('has a sample in each language for every operation', () => {
  for (const { id, samples } of operations)
    expect({ id, labels: samples.map(({ label }) => label) }).toEqual({
      id,
      labels: ['curl', 'TypeScript', 'Python', 'Go'],
    })
})

it('lists the operations of each tag together, in the declared order', () => {
  const tags = document.tags
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => name !== webhookTag)
  const tagsOfOperations = operations.map(({ operation }) => operation.tags[0])
  expect([...new Set(tagsOfOperations)]).toEqual(tags)
  expect(tagsOfOperations).toEqual([...tagsOfOperations].sort((a, b) => tags.indexOf(a) - tags.indexOf(b)))
  expect(ids.slice(0, 5)).toEqual(['createLink', 'listLinks', 'getLink', 'updateLink', 'deleteLink'])
})

it('has TypeScript samples that compile', () => {
  const folder = resolve('test/api/docs')
  const sources = new Map(
    operations.map(({ id }) => [
      join(folder, `sample-${id}.ts`),
      `${findSource(id, 'TypeScript')}\nexport {}\n`,
    ]),
  )
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2024.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const host = ts.createCompilerHost(options)
  const hostWithSamples: ts.CompilerHost = {
    ...host,
    fileExists: (name) => sources.has(name) || host.fileExists(name),
    getSourceFile: (name, ...rest) =>
      sources.has(name)
        ? ts.createSourceFile(name, sources.get(name)!, ts.ScriptTarget.ES2023)
        : host.getSourceFile(name, ...rest),
  }
  const program = ts.createProgram([...sources.keys()], options, hostWithSamples)
  const errors = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  expect(errors).toEqual([])
}, 60_000)

it.each(ids)('sends the same request from curl and TypeScript: %s', async (id) => {
  const fromCurl = normalize(parseCurl(findSource(id, 'Shell')))
  expect(normalize(await runTypeScript(findSource(id, 'TypeScript')))).toEqual(fromCurl)
})

describe('the curl sample', () => {
  let service: Service
  beforeAll(async () => {
    service = await shareService()
  })
  afterAll(() => service.stop())

  it.each(ids)('is a documented request: %s', (id) => {
    const { method, path, operation } = findOperation(id)
    const request = parseCurl(findSource(id, 'Shell'))
    const { pathname, searchParams } = new URL(request.url)
    const apiPath = path.startsWith('/v1/') ? pathname.replace(/^\/api/, '') : pathname
    expect(request.method).toBe(method)
    expect(findDocumentedOperation(method, apiPath)?.operationId).toBe(id)
    const names = (operation.parameters ?? []).map(({ name }: { name: string }) => name)
    for (const name of searchParams.keys()) expect(names).toContain(name)
    expect('authorization' in request.headers).toBe(operation.security.length > 0)
    const type = request.headers['content-type']
    if (type === 'application/json') {
      const pointer = ['paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema']
      expect(findSchemaErrors(pointer, JSON.parse(request.body!), 'the body')).toEqual([])
    } else if (type) expect(Object.keys(operation.requestBody.content)).toContain(type)
  })

  it.each(ids)('is accepted by the service: %s', async (id) => {
    const { method, url, headers, body } = parseCurl(findSource(id, 'Shell'))
    const { token } = await service.mint(scopes.join())
    if ('authorization' in headers) headers['authorization'] = `Bearer ${token}`
    const stop = new AbortController()
    const { status } = await fetch(url.replace('http://localhost:3000', service.origin), {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: stop.signal,
    })
    stop.abort()
    // The objects with the example IDs do not exist.
    expect({ id, isAccepted: status < 400 || status === 404 }).toEqual({ id, isAccepted: true })
  })
})

/**
 * Serves the built pages beside a service that has no sessions of its own: the cookie stands for the token that was given, and
 * each call goes on to the API with it. The policy is that of the product.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'

const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'",
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
].join('; ')
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const cookieName = 'link_service_session'

export interface Door {
  origin: string
  stop(): Promise<void>
}

/** `codes` are what a link of the first start may carry: each is worth a token, once. */
export async function openDoor(service: string, codes: Map<string, string>): Promise<Door> {
  const sessions = new Map<string, string>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://door')
    response.setHeader('content-security-policy', policy)
    if (pathname === '/dashboard/session') return signInOrOut(request, response)
    if (pathname.startsWith('/dashboard/api/'))
      return passOn(request, response, pathname.slice('/dashboard'.length) + search)
    await sendFile(response, pathname.replace(/^\/dashboard\/?/, ''))
  }
  const tokenOf = (request: IncomingMessage) =>
    sessions.get(new RegExp(`${cookieName}=(\\w+)`).exec(request.headers.cookie ?? '')?.[1] ?? '')

  async function signInOrOut(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'DELETE') {
      sessions.clear()
      return response.writeHead(204).end()
    }
    const given = JSON.parse(await textOf(request)) as { token?: string; code?: string }
    const token = given.token ?? codes.get(given.code ?? '')
    codes.delete(given.code ?? '')
    const check = await fetch(`${service}/api/v1/auth/token/self`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!token || !check.ok) {
      const detail = given.code
        ? 'This link was used already, or is too old.'
        : 'This is no token of this service.'
      response.writeHead(401, { 'content-type': 'application/problem+json' })
      return response.end(JSON.stringify({ code: 'invalid_token', detail, status: 401 }))
    }
    const id = randomBytes(32).toString('hex')
    sessions.set(id, token)
    const cookie = `${cookieName}=${id}; HttpOnly; SameSite=Strict; Path=/dashboard`
    return response.writeHead(204, { 'set-cookie': cookie }).end()
  }

  async function passOn(request: IncomingMessage, response: ServerResponse, path: string) {
    const body = request.method === 'GET' ? null : await textOf(request)
    const ownHeaders = ['cookie', 'host', 'connection', 'content-length']
    const given = Object.entries(request.headers)
      .filter(([name]) => !ownHeaders.includes(name))
      .map(([name, value]) => [name, String(value)] as [string, string])
    const ended = new AbortController()
    response.on('close', () => ended.abort())
    const answered = await fetch(`${service}${path}`, {
      method: request.method ?? 'GET',
      headers: [...given, ['authorization', `Bearer ${tokenOf(request) ?? 'none'}`]],
      body: body === '' ? null : body,
      signal: ended.signal,
    })
    const kept = [...answered.headers].filter(
      ([name]) => !/^(?:connection|content-(?:encoding|length)|transfer-)/.test(name),
    )
    response.writeHead(answered.status, Object.fromEntries(kept))
    if (!answered.body) return response.end()
    Readable.fromWeb(answered.body)
      .on('error', () => response.destroy())
      .pipe(response)
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A name with an ending is a file of the build; every other address is a page. */
async function sendFile(response: ServerResponse, name: string): Promise<void> {
  const isFile = /^(?:assets\/)?[\w-]+\.\w+$/.test(name)
  const file = join('dist/dashboard', isFile ? name : 'index.html')
  const content = await readFile(file).catch(() => null)
  if (!content) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

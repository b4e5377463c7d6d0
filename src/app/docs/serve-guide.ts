/** Serves the documentation at /docs/guide: the built site, or plain pages when the site is not built. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../../platform/http/problems/problem.js'
import { sendEncodedFile } from '../../platform/http/served-file.js'
import { createGuideFile, guidePath } from './guide-files.js'
import type { GuideFile, GuideFiles } from './guide-files.js'

interface GuideFolders {
  /** The checkout with the Markdown files. */
  root: string
  /** The built site. */
  site: string
}

/** The relative paths are the same from `src` and from `dist`. */
const ownFolders: GuideFolders = {
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  site: fileURLToPath(new URL('../../../docs/.vitepress/dist', import.meta.url)),
}

export function serveGuide(fastify: FastifyInstance, folders = ownFolders): void {
  const config = { access: { kind: 'public' as const } }
  let opened: Promise<GuideFiles> | null = null
  /** Each file is read and compressed once. */
  const cache = new Map<string, GuideFile>()

  async function open(): Promise<GuideFiles> {
    try {
      return await (opened ??= openGuide(folders))
    } catch (error) {
      // The next request opens the guide again.
      opened = null
      throw error
    }
  }

  async function send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const files = await open()
    const file = cache.get(name) ?? (await files.read(name))
    if (file) {
      cache.set(name, file)
      return sendEncodedFile(request, reply, file.content, file)
    }
    const complete = files.completeName(name)
    if (complete !== null) return reply.redirect(`${guidePath}/${complete}`, 302)
    const { content, type, headers } = await files.readNotFound()
    return reply
      .code(404)
      .headers({ ...headers, 'content-type': type })
      .send(content.body)
  }

  for (const name of ['llms.txt', 'llms-full.txt'])
    fastify.get(`/${name}`, { config }, (request, reply) => send(name, request, reply))
  fastify.get(guidePath, { config }, (_request, reply) => reply.redirect(`${guidePath}/`, 302))
  // The guard rejects an empty parameter, so the start page needs its own route.
  fastify.get(`${guidePath}/`, { config }, (request, reply) => send('', request, reply))
  fastify.get(`${guidePath}/*`, { config }, (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    return send(name, request, reply)
  })
}

async function openGuide({ root, site }: GuideFolders): Promise<GuideFiles> {
  const built = await openBuiltGuide(site)
  if (built) return built
  // Loaded only when needed, because a built site needs no Markdown.
  const { openPlainGuide } = await import('./plain-guide.js')
  const plain = await openPlainGuide(root)
  if (plain) return plain
  throw new Problem('not_found', { detail: 'This installation does not contain the documentation.' })
}

/** Returns null if the site is not built. */
async function openBuiltGuide(folder: string): Promise<GuideFiles | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
  if (!names.has('index.html')) return null

  /** Reads only files in the list, so a request cannot read a file outside the folder. */
  const read = async (name: string): Promise<GuideFile | null> => {
    const file = name === '' || name.endsWith('/') ? `${name}index.html` : name
    if (!names.has(file)) return null
    const body = await readFile(join(folder, file)).catch(() => null)
    return body && createGuideFile(file, body)
  }
  return {
    read,
    async readNotFound() {
      return (await read('404.html')) ?? createGuideFile('404.html', Buffer.from('Not found'))
    },
    completeName(name) {
      if (names.has(`${name}.html`)) return `${name}.html`
      return names.has(`${name}/index.html`) ? `${name}/` : null
    },
  }
}

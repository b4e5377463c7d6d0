/** Serves the documentation at /docs/guide: the built site, or plain pages when the site is not built. */
import { fileURLToPath } from 'node:url'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../../platform/http/problems/problem.js'
import { sendEncodedFile } from '../../platform/http/served-file.js'
import { openBuiltGuide } from './built-guide.js'
import { guidePath } from './guide-files.js'
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

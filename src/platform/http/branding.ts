/** The name, the logo and the accent color that the pages of the service show. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

import type { FastifyInstance } from 'fastify'

import type { Settings } from '../../settings.js'
import { StartupError } from '../config/startup-error.js'
import { accentFor, defaultAccent } from '../util/colors.js'
import type { Accent } from '../util/colors.js'
import { hashContent, serveFile } from './served-file.js'

export interface Branding {
  name: string
  accent: Accent
  /** Null for the icon of Link Service. */
  logo: Logo | null
}

interface Logo {
  /** The URL for an `img` element: a path of the service, a `data:` URL or an `https:` URL. */
  url: string
  /** The source that a content security policy must allow. */
  source: string
  /** Null if the service does not serve the logo. */
  file: { type: string; body: Buffer } | null
}

const logoTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}
const maxLogoBytes = 512 * 1024

export async function readBranding({
  instanceName: name,
  instanceLogo,
  accent,
}: Pick<Settings, 'instanceName' | 'instanceLogo' | 'accent'>): Promise<Branding> {
  return {
    name,
    accent: accent === null ? defaultAccent : accentFor(accent),
    logo: instanceLogo === null ? null : await readLogo(instanceLogo),
  }
}

async function readLogo(text: string): Promise<Logo> {
  if (text.startsWith('data:')) return { url: text, source: 'data:', file: null }
  if (text.startsWith('https:')) return { url: text, source: policySource(text), file: null }
  const type = logoTypes[extname(text).toLowerCase()]
  if (type === undefined)
    throw new StartupError(
      `INSTANCE_LOGO is ${text}, which is not a supported image. Use a file that ends with ${Object.keys(logoTypes).join(', ')}, or a data: or https: URL.`,
    )
  const body = await readFile(text).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `INSTANCE_LOGO cannot be read: ${text} (${error.code}). Check the path and the permissions of the file.`,
    )
  })
  if (body.length === 0 || body.length > maxLogoBytes)
    throw new StartupError(
      `INSTANCE_LOGO is ${text}, which is ${body.length} bytes long. Use an image of at most ${maxLogoBytes / 1024} KiB.`,
    )
  // A path with a dot is never a slug.
  return {
    url: `/logo.${hashContent(body)}${extname(text).toLowerCase()}`,
    source: "'self'",
    file: { type, body },
  }
}

/** Returns the URL without its query, which a policy cannot contain, and without the separators of a policy. */
function policySource(text: string): string {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

/** Serves the logo if it is a file. An SVG image can contain scripts, so the policy forbids them. */
export function serveLogo(fastify: FastifyInstance, { logo }: Branding): void {
  if (!logo?.file) return
  const { type, body } = logo.file
  serveFile(fastify, {
    path: logo.url,
    type,
    read: () => body,
    isImmutable: true,
    headers: {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}

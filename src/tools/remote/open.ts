/** `link-service open`: opens the page or the destination of a link in a browser. */
import { spawn } from 'node:child_process'

import type { Command } from '@commander-js/extra-typings'

import { print } from '../../platform/command-line/output.js'
import { dashboardOrigin } from '../../platform/config/env.js'
import { requireUrl } from './api-access.js'
import { withClient, withConnection } from './connection.js'
import { findLink } from './links.js'

const openerTimeoutMs = 1_000

export function addOpenCommand(program: Command): void {
  withConnection(
    program
      .command('open')
      .description('Open a link in the dashboard, or print the URL if there is no browser')
      .argument('<link>', 'ID or slug of the link')
      .option('--destination', 'open the destination of the link instead'),
    'open spring',
  ).action((link, options) =>
    withClient(options, async (client) => {
      const { id, url } = await findLink(client, link)
      const target = options.destination ? url : `${dashboardOrigin(client.baseUrl)}/dashboard/links/${id}`
      // The destination is untrusted, and an opener would also run schemes other than http and https.
      const { href } = requireUrl(target, 'open', 'https://example.com')
      print((await openInBrowser(href)) ? `Opened ${href}` : href)
    }),
  )
}

/** Returns false if there is no browser, or the opener fails. */
function openInBrowser(url: string): Promise<boolean> {
  const opener = openerFor(process.platform, process.env)
  if (!opener) return Promise.resolve(false)
  const [command, ...args] = opener
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    // An opener that is the browser itself keeps running.
    setTimeout(resolve, openerTimeoutMs, true)
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** Returns the command that opens a URL, or null if this machine has no screen. */
function openerFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] | null {
  if (env['BROWSER']) return [env['BROWSER']]
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null
}

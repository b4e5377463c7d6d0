/** The pages that browsers get for short links that do not redirect. Built in, or from templates in PAGES_DIR. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

import { StartupError } from '../../platform/config/startup-error.js'
import type { Branding } from '../../platform/http/branding.js'
import { dataContentPolicy, Problem, unavailableRetryAfter } from '../../platform/http/problems/problem.js'
import { escapeHtml } from '../../platform/util/plain-text.js'
import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'

export type RedirectErrorCode = Extract<ProblemCode, 'not_found' | 'gone' | 'unavailable'>

interface VisitorPage {
  body: Buffer
  /** The content security policy, which allows the inline styles of the page and the logo. */
  policy: string
}

export type VisitorPages = Readonly<Record<RedirectErrorCode, VisitorPage>>

const texts: Readonly<Record<RedirectErrorCode, { title: string; message: string }>> = {
  not_found: {
    title: 'This link does not exist',
    message: 'Check the link for typos. Uppercase and lowercase letters matter.',
  },
  gone: {
    title: 'This link is no longer active',
    message: 'The link was disabled or deleted, or has expired.',
  },
  unavailable: {
    title: 'This link cannot be opened right now',
    message: 'Try again in a few seconds.',
  },
}
const codes = Object.keys(texts) as RedirectErrorCode[]
const getPageFile = (code: RedirectErrorCode) => `${problems[code].status}.html`

/** Markup that the content security policy would block. Rejecting it at startup keeps broken pages from visitors. */
const blocked: readonly [markup: RegExp, name: string][] = [
  [/<script\b/i, 'a script, which the content security policy blocks. Remove it'],
  [/<link\b/i, 'a <link> element, which the content security policy blocks. Use a <style> element'],
  [
    /<[a-z][^>]*\sstyle\s*=/i,
    'a style attribute, which the content security policy blocks. Use a <style> element',
  ],
  [/<[a-z][^>]*\son[a-z]+\s*=/i, 'an event handler, which the content security policy blocks. Remove it'],
]
const maxTemplateBytes = 256 * 1024

/** Creates the pages when the service starts. They contain no data from requests. */
export async function readVisitorPages(pagesDir: string | null, branding: Branding): Promise<VisitorPages> {
  const templates = pagesDir === null ? new Map<string, string>() : await readTemplates(pagesDir)
  const pages = codes.map((code) => {
    const file = getPageFile(code)
    return [code, createPage(code, templates.get(file) ?? builtInTemplate, branding)]
  })
  return Object.fromEntries(pages) as VisitorPages
}

/** Reads and checks the templates of a folder, by file name. */
async function readTemplates(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `PAGES_DIR cannot be read: ${folder} (${error.code}). Check the path and the permissions of the folder.`,
    )
  })
  const known = codes.map(getPageFile)
  const found = names.filter((name) => name.endsWith('.html'))
  const unknown = found.find((name) => !known.includes(name))
  if (unknown !== undefined || found.length === 0)
    throw new StartupError(
      `PAGES_DIR contains ${unknown ?? 'no pages'}: ${folder}. Valid file names: ${known.join(', ')}.`,
    )
  const templates = await Promise.all(found.map((name) => readTemplate(join(folder, name))))
  return new Map(found.map((name, index) => [name, templates[index]!]))
}

async function readTemplate(file: string): Promise<string> {
  const unusable = (reason: string) => new StartupError(`The page ${file} in PAGES_DIR ${reason}.`)
  const body = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unusable(`cannot be read (${error.code}). Check its permissions`)
  })
  if (body.length > maxTemplateBytes) throw unusable(`is larger than ${maxTemplateBytes / 1024} KiB`)
  // Browsers read CRLF as LF, and hash styles after that.
  const text = body.toString().replaceAll('\r\n', '\n')
  if (text.trim() === '') throw unusable('is empty')
  if (text.includes('\uFFFD')) throw unusable('is not UTF-8')
  for (const [markup, name] of blocked) if (markup.test(text)) throw unusable(`contains ${name}`)
  for (const [placeholder, name] of text.matchAll(placeholders))
    if (!placeholderNames.includes(name as PlaceholderName))
      throw unusable(
        `contains the unknown placeholder ${placeholder}. Valid placeholders: ${placeholderNames.join(', ')}`,
      )
  return text
}

const placeholders = /\{\{\s*([^{}]*?)\s*\}\}/g
const placeholderNames = [
  'status',
  'title',
  'message',
  'instance_name',
  'logo',
  'accent_light',
  'accent_dark',
] as const
type PlaceholderName = (typeof placeholderNames)[number]

function createPage(
  code: RedirectErrorCode,
  template: string,
  { name, accent, logo }: Branding,
): VisitorPage {
  const { title, message } = texts[code]
  const values: Record<PlaceholderName, string> = {
    status: String(problems[code].status),
    title,
    message,
    instance_name: escapeHtml(name),
    logo: logo ? `<img class="logo" src="${escapeHtml(logo.url)}" alt="">` : builtInLogo,
    accent_light: accent.light,
    accent_dark: accent.dark,
  }
  const html = template.replace(placeholders, (_, each: string) => values[each as PlaceholderName])
  const styles = [...html.matchAll(/<style[^>]*>([^]*?)<\/style>/gi)].map(([, style]) => hashStyle(style!))
  const images = [
    ...(logo && html.includes(escapeHtml(logo.url)) ? [logo.source] : []),
    ...(/<img[^>]*\ssrc\s*=\s*["']?data:/i.test(template) ? ['data:'] : []),
  ]
  return {
    body: Buffer.from(html),
    policy: [
      "default-src 'none'",
      ...(styles.length > 0 ? [`style-src ${styles.join(' ')}`] : []),
      ...(images.length > 0 ? [`img-src ${[...new Set(images)].join(' ')}`] : []),
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ].join('; '),
  }
}

function hashStyle(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

export interface ErrorOptions {
  pages: VisitorPages
  /** Base URL of the pages about errors. With PORT=0 it is known only once the service listens. */
  publicUrl: () => string
}

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  code: RedirectErrorCode,
  requestId: string,
  { pages, publicUrl }: ErrorOptions,
): void {
  const isBrowser = request.headers.accept?.toLowerCase().includes('text/html') === true
  const body = isBrowser
    ? pages[code].body
    : Buffer.from(JSON.stringify(new Problem(code).toBody(publicUrl(), requestId)))
  const headers = [
    'Content-Type',
    isBrowser ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    'Vary',
    'Accept',
    'X-Robots-Tag',
    'noindex',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    isBrowser ? pages[code].policy : dataContentPolicy,
    'Referrer-Policy',
    'no-referrer',
    'X-Request-Id',
    requestId,
  ]
  if (code === 'unavailable') headers.push('Retry-After', unavailableRetryAfter)
  response.writeHead(problems[code].status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The icon of the dashboard, in the accent color. */
const builtInLogo =
  '<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/>' +
  '<path d="M14 18.5a4.5 4.5 0 0 0 6.4 0l3-3a4.5 4.5 0 0 0-6.4-6.4l-1 1M18 13.5a4.5 4.5 0 0 0-6.4 0l-3 3a4.5 4.5 0 0 0 6.4 6.4l1-1"/></svg>'

const style = `
:root{color-scheme:light dark;--bg:#fafaf8;--text:#1b1c1e;--muted:#5d6066;--accent:{{accent_light}};--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#101113;--text:#e9e9e7;--muted:#a3a7ad;--accent:{{accent_dark}};--on-accent:#10131f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;grid-template-rows:1fr auto;padding:24px;font:16px/1.6 -apple-system,BlinkMacSystemFont,'Segoe UI Variable Text','Segoe UI',Roboto,Ubuntu,Cantarell,'Noto Sans',system-ui,'Helvetica Neue',Arial,sans-serif;color:var(--text);background:var(--bg);-webkit-text-size-adjust:100%}
main{align-self:center;justify-self:center;width:100%;max-width:30rem;padding-bottom:8vh}
.status{margin:0 0 12px;font-size:14px;font-weight:600;letter-spacing:.04em;color:var(--accent)}
h1{margin:0 0 8px;font-size:clamp(24px,5vw,30px);line-height:1.2;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
p{margin:0;color:var(--muted);text-wrap:pretty}
footer{display:flex;align-items:center;justify-content:center;gap:8px;font-size:14px;color:var(--muted)}
.logo{flex:none;height:20px;width:auto;max-width:120px;display:block}
.logo rect{fill:var(--accent)}
.logo path{fill:none;stroke:var(--on-accent);stroke-width:2.6;stroke-linecap:round}
`

/** The built-in page for visitors. It uses the placeholders that are available to the pages in PAGES_DIR. */
const builtInTemplate = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{title}}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="status">{{status}}</p>
<h1>{{title}}</h1>
<p>{{message}}</p>
</main>
<footer>{{logo}}<span>{{instance_name}}</span></footer>
</body>
</html>
`

/** The pages that browsers get for short links that do not redirect. Built in, or from templates in PAGES_DIR. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { StartupError } from '../../platform/config/startup-error.js'
import type { Branding } from '../../platform/http/branding.js'
import { escapeHtml } from '../../platform/util/plain-text.js'
import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'
import { builtInTemplate, builtInLogo } from './visitor-template.js'

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

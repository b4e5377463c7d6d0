/**
 * Configures the documentation site. The service serves it at /docs/guide; DOCS_BASE builds it for the path of another
 * host. docs/navigation.json declares the sidebar.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

import { readMarkdownFiles } from '../../dist/app/docs/guide-markdown-files.js'
import { getSitePath, headingId, isFileLink, pageUrl, readGuide } from '../../dist/app/docs/guide-pages.js'
import { classNames, codeTheme } from './code-theme.js'

const root = resolve(import.meta.dirname, '../..')
const { DOCS_BASE: otherBase } = process.env
const base = otherBase ? `/${otherBase}/`.replaceAll(/\/+/g, '/') : '/docs/guide/'

export default async () => {
  const guide = await readGuide(root)
  const icon = await readFile(join(root, 'dashboard/public/icon.svg'), 'base64')
  const linked = new Set()
  return {
    lang: 'en',
    title: 'Link Service',
    description: 'Documentation of Link Service, a self-hosted link shortener for developers.',
    base,
    srcDir: '..',
    srcExclude: ['!(bench|clients|dashboard|docs|src)/**/*', 'bench/*/**', 'clients/conformance/**'],
    rewrites: getSitePath,
    // The service serves the site, so it must not be in `dist`, which each build of the service empties.
    outDir: join(root, otherBase ? 'dist/docs-static' : 'docs/.vitepress/dist'),
    cacheDir: join(root, 'docs/.vitepress/cache'),
    // The defaults set inline styles, which the content security policy of the service blocks.
    appearance: { disableTransition: false },
    contentProps: {},
    head: [
      ['meta', { name: 'color-scheme', content: 'light dark' }],
      ['link', { rel: 'icon', href: `data:image/svg+xml;base64,${icon}` }],
    ],
    markdown: {
      anchor: { slugify: headingId },
      theme: codeTheme,
      codeTransformers: [classNames],
      config: (markdown) => {
        markdown.core.ruler.push('file-links', (state) => resolveLinks(state, guide, linked))
        markdown.core.ruler.push('literal-code', keepBraces)
      },
    },
    themeConfig: {
      search: { provider: 'local' },
      sidebar: guide.navigation.map(sidebarGroup),
      outline: { level: [2, 3] },
      externalLinkIcon: true,
    },
    // The theme sets this style again when the menu opens.
    transformHtml: (html) => html.replaceAll(' style="--vp-vh:0px;"', ''),
    buildEnd: async ({ outDir }) => {
      await copyLinkedFiles(linked, outDir)
      for (const [name, text] of await readMarkdownFiles(root, guide, base))
        await writeFile(join(outDir, name), text)
    },
    // Examples link to the service on the reader's machine.
    ignoreDeadLinks: 'localhostLinks',
    vite: {
      plugins: [externalVue],
      publicDir: false,
      server: { watch: { ignored: ['**/data/**', '**/dist/**'] } },
    },
  }
}

/** Lets the server build import Vue from the packages of docs. Pages outside docs do not find it in their own folders. */
const externalVue = {
  name: 'external-vue',
  enforce: 'pre',
  resolveId: (id, _importer, { ssr }) =>
    ssr && ['vue', 'vue/server-renderer'].includes(id) ? { id, external: true } : null,
}

function sidebarGroup({ title, pages, groups, isCollapsed }) {
  return {
    text: title,
    collapsed: isCollapsed,
    items: [
      ...pages.map((page) => ({ text: page.title, link: `/${pageUrl(page)}` })),
      ...groups.map(sidebarGroup),
    ],
  }
}

/** Replaces relative links by paths on the site. Fails on a link to a file that the site does not contain. */
function resolveLinks(state, guide, linked) {
  const file = relative(root, state.env.realPath ?? state.env.path)
    .split(sep)
    .join('/')
  for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
    const link = token.type === 'link_open' ? token.attrGet('href') : null
    if (link === null || !isFileLink(link)) continue
    const target = guide.resolveLink(file, link)
    if (!target)
      throw new Error(`${file} links to ${link}, which is not on the site. See src/app/docs/guide-pages.ts.`)
    if (target.isPage) token.attrSet('href', `/${target.path}${target.hash}`)
    else {
      linked.add(target.file)
      token.attrSet('href', base + target.path)
      // The router of the site leaves links with a target to the browser.
      token.attrSet('target', '_self')
    }
  }
}

/** Keeps Vue from evaluating double braces in code within text. */
function keepBraces(state) {
  for (const token of state.tokens.flatMap(({ children }) => children ?? []))
    if (token.type === 'code_inline') token.attrSet('v-pre', '')
}

async function copyLinkedFiles(files, outDir) {
  for (const file of files) {
    const copy = join(outDir, getSitePath(file))
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(join(root, file), copy)
  }
}

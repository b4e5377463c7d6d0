/**
 * Finds the pages of the documentation site and resolves the links between them. docs/.vitepress/config.js uses this
 * module too, so it imports only Node.js.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** Markdown files outside `docs` and `src` that are pages of the site. */
const otherPages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  'dashboard/README.md',
  'clients/go/README.md',
  'clients/python/README.md',
  'clients/typescript/README.md',
]
/** Files outside `docs` that pages may link to. Any other file may contain secrets. */
const linkableFiles = ['.env.example', 'LICENSE', 'docker-compose.yml', 'openapi.json']
const navigationFile = 'docs/navigation.json'

export interface GuidePage {
  /** Path in the repository, such as `docs/decisions/README.md`. */
  file: string
  /** Path on the site, such as `decisions/index.md`. */
  path: string
  /** The text of the first heading. */
  title: string
}

export interface GuideGroup {
  title: string
  pages: GuidePage[]
  groups: GuideGroup[]
  isCollapsed: boolean
}

/** A group in docs/navigation.json. */
interface DeclaredGroup {
  title: string
  pages?: (string | { file: string; title: string })[]
  /** Folders whose pages are all listed. */
  folders?: string[]
  /** Whether the group lists the pages in `docs` that are in no other group. */
  hasOtherPages?: true
  isCollapsed?: true
  groups?: DeclaredGroup[]
}

/** The target of a link to a page or a file of the site. */
interface GuideTarget {
  file: string
  path: string
  /** Begins with `#`, or is empty. */
  hash: string
  isPage: boolean
}

export class Guide {
  constructor(
    /** By path in the repository. */
    readonly pages: ReadonlyMap<string, GuidePage>,
    /** Paths in the repository of the files that are not pages. */
    readonly files: ReadonlySet<string>,
    readonly navigation: readonly GuideGroup[],
  ) {}

  /** Resolves a link of a page. Returns null if the site does not contain the target. */
  resolveLink(fromFile: string, link: string): GuideTarget | null {
    const [, target = '', hash = ''] = /^([^?#]*)[^#]*(#.*)?$/.exec(link) ?? []
    const file = target === '' ? fromFile : posix.join(posix.dirname(fromFile), decodeURI(target))
    const page = this.pages.get(file) ?? this.pages.get(posix.join(file, 'README.md'))
    if (page) return { file: page.file, path: page.path, hash, isPage: true }
    return this.files.has(file) ? { file, path: getSitePath(file), hash, isPage: false } : null
  }
}

/** Returns whether a link points to a file of the repository. */
export function isFileLink(link: string): boolean {
  return !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(link)
}

/** Returns the path on the site of a file. Static hosts may hide files whose names begin with a dot. */
export function getSitePath(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/^\./, '')
}

/** Returns the URL of a page below the base of the site. */
export function pageUrl({ path }: Pick<GuidePage, 'path'>): string {
  return path.replace(/\.md$/, '.html').replace(/(^|\/)index\.html$/, '$1')
}

/** Returns the ID of a heading, as on GitHub. */
export function headingId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** Reads the pages from a checkout. */
export async function readGuide(root: string): Promise<Guide> {
  const [docs, folders] = await Promise.all([listFiles(root, 'docs'), listFolders(root, 'src')])
  const pageFiles = [
    ...otherPages,
    ...folders.map((folder) => `${folder}/README.md`),
    ...docs.filter((file) => file.endsWith('.md')),
  ]
  const read = await Promise.all(pageFiles.map((file) => readPage(root, file)))
  const pages = new Map(read.flatMap((page) => (page ? [[page.file, page]] : [])))
  const declared = JSON.parse(await readFile(join(root, navigationFile), 'utf8')) as DeclaredGroup[]
  const files = new Set([...linkableFiles, ...docs.filter((file) => !file.endsWith('.md'))])
  return new Guide(pages, files, createNavigation(declared, pages))
}

/** Lists the files of a folder and its subfolders, sorted, without installed packages and build output. */
async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const visible = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
  const lists = visible.map(async (entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? await listFiles(root, path) : [path]
  })
  return (await Promise.all(lists)).flat().sort()
}

async function listFolders(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`)
}

async function readPage(root: string, file: string): Promise<GuidePage | null> {
  const text = await readFile(join(root, file), 'utf8').catch(() => null)
  if (text === null) return null
  const title = /^# +(.+)$/m.exec(text)?.[1]?.replaceAll('`', '').trim()
  return { file, path: getSitePath(file), title: title ?? posix.basename(file, '.md') }
}

/** Returns the groups that have pages. */
function createNavigation(
  declared: readonly DeclaredGroup[],
  pages: ReadonlyMap<string, GuidePage>,
): GuideGroup[] {
  const all = [...pages.values()]
  const inFolder = (folder: string) =>
    all
      .filter(({ file }) => file.startsWith(`${folder}/`))
      // The page of the folder itself comes first.
      .sort((a, b) => Number(b.path.endsWith('/index.md')) - Number(a.path.endsWith('/index.md')))
  const listed = new Set(declared.flatMap(filesIn))
  const others = () => inFolder('docs').filter(({ file }) => !listed.has(file))

  function filesIn({ pages: own = [], folders = [], groups = [] }: DeclaredGroup): string[] {
    const named = own.map((entry) => (typeof entry === 'string' ? entry : entry.file))
    return [
      ...named,
      ...folders.flatMap((folder) => inFolder(folder).map(({ file }) => file)),
      ...groups.flatMap(filesIn),
    ]
  }

  function createGroup({
    title,
    pages: own = [],
    folders = [],
    groups = [],
    ...more
  }: DeclaredGroup): GuideGroup {
    const named = own.flatMap((entry) => {
      const page = pages.get(typeof entry === 'string' ? entry : entry.file)
      if (!page) return []
      return [typeof entry === 'string' ? page : { ...page, title: entry.title }]
    })
    return {
      title,
      pages: [...named, ...folders.flatMap(inFolder), ...(more.hasOtherPages ? others() : [])],
      groups: createGroups(groups),
      isCollapsed: more.isCollapsed ?? false,
    }
  }

  function createGroups(groups: readonly DeclaredGroup[]): GuideGroup[] {
    return groups.map(createGroup).filter((group) => group.pages.length > 0 || group.groups.length > 0)
  }

  return createGroups(declared)
}

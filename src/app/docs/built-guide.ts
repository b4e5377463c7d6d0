/** The documentation site that `npm run docs` builds. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

import { createGuideFile } from './guide-files.js'
import type { GuideFile, GuideFiles } from './guide-files.js'

/** Returns null if the site is not built. */
export async function openBuiltGuide(folder: string): Promise<GuideFiles | null> {
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

/**
 * Replaces a source or framework file by a module that re-exports the module loaded outside the module registry of the
 * spec. Source files are taken from dist, which `npm test` builds first.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const ownText = readFileSync(fileURLToPath(import.meta.url))

export default {
  async processAsync(_source, path) {
    const url = outside(path)
    const { default: main, ...others } = await import(url)
    // Node adds the export `module.exports` to CommonJS modules.
    const names = Object.keys(others).filter((name) => !name.includes('.'))
    return {
      code: [
        `const outside = await importOutside(${JSON.stringify(url)})`,
        `export const { ${names.join(', ')} } = outside`,
        ...(main === undefined ? [] : ['export default outside.default']),
      ].join('\n'),
    }
  },
  getCacheKey(source, path) {
    return createHash('sha256').update(ownText).update(`\0${path}\0`).update(source).digest('hex')
  },
}

function outside(path) {
  const [top, ...segments] = relative(root, path).split(sep)
  const file = top === 'src' ? join(root, 'dist', ...segments).replace(/\.ts$/, '.js') : path
  return pathToFileURL(file).href
}

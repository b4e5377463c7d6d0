/**
 * `node scripts/image/prune-packages.js node_modules`: deletes what packages do not need at run time: types, source
 * maps, sources, tests and documentation. Keeps licenses.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const unneededFile =
  /\.(?:map|d\.[cm]?ts|[cm]?tsx?|flow|md|markdown|tsbuildinfo)$|^(?:tsconfig.*\.json|test\.[cm]?js|\..*rc(?:\..*)?|\.(?:npmignore|editorconfig|prettierignore))$/i
const license = /^(?:licen[cs]e|copying|notice|copyright)/i
/** Folders at the top of a package. */
const unneededFolder =
  /^(?:tests?|__tests__|specs?|fixtures|integration|benchmarks?|examples?|docs|man|test-utils|\..+)$/
/** Only for pages of a library that the service replaces with its own. */
const unusedPackages = ['@nestjs/swagger/node_modules/swagger-ui-dist']
/** Copies for browsers and bundlers. */
const otherBuilds = {
  'class-validator': ['bundles', 'esm2015', 'esm5'],
  'libphonenumber-js': ['bundle'],
  'swagger-ui-dist': ['swagger-ui-es-bundle.js', 'swagger-ui-es-bundle-core.js'],
  rxjs: ['dist/bundles', 'dist/esm', 'dist/esm5'],
  typeorm: ['browser'],
}

const [root = 'node_modules'] = process.argv.slice(2)
for (const name of unusedPackages) rmSync(join(root, name), { recursive: true, force: true })
for (const folder of packagesIn(root)) prunePackage(folder)
// npm's own record of what it installed, and links to commands.
for (const name of ['.bin', '.package-lock.json']) rmSync(join(root, name), { recursive: true, force: true })

/** Returns the folders of all packages, including nested ones. Links to workspaces are not followed. */
function packagesIn(modules) {
  if (!existsSync(modules)) return []
  const folders = foldersIn(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? foldersIn(join(modules, name)).map((inner) => join(modules, name, inner))
        : [join(modules, name)],
    )
  return folders.flatMap((folder) => [folder, ...packagesIn(join(folder, 'node_modules'))])
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function prunePackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { main = '', module = '', exports = '', bin = '', imports = '' } = manifest
  const entries = JSON.stringify([main, module, exports, bin, imports])
  const isEntry = (name) => entries.includes(`"${name}/`) || entries.includes(`"./${name}/`)
  const unneeded = foldersIn(folder).filter(
    (name) => (unneededFolder.test(name) || name === 'src') && !isEntry(name),
  )
  for (const name of [...unneeded, ...(otherBuilds[manifest.name] ?? [])])
    rmSync(join(folder, name), { recursive: true, force: true })
  pruneFiles(folder)
}

function pruneFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') pruneFiles(path)
    else if (entry.isFile() && unneededFile.test(entry.name) && !license.test(entry.name)) rmSync(path)
  }
}

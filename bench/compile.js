/** Compiles TypeScript files into a temporary folder, for code that is not part of the build. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/core'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Compiles `paths`, files or folders relative to the project. Returns the output folder. */
export function compile(name, paths) {
  // Inside node_modules, so that imports of packages resolve.
  const target = join(root, 'node_modules/.cache', name)
  rmSync(target, { recursive: true, force: true })
  for (const file of paths.flatMap(filesOf)) {
    const { code } = transformSync(readFileSync(join(root, file), 'utf8'), {
      filename: file,
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'es6' },
    })
    mkdirSync(dirname(join(target, file)), { recursive: true })
    writeFileSync(join(target, file.replace(/ts$/, 'js')), code)
  }
  writeFileSync(join(target, 'package.json'), '{"type":"module"}')
  return target
}

function filesOf(path) {
  if (path.endsWith('.ts')) return [path]
  return readdirSync(join(root, path))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${path}/${name}`)
}

/** Compiles the folders under test, with the one file they take from elsewhere, into a throw-away folder, so that the benchmark needs no build. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/core'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folders = ['clicks/journal', 'links/redirect', 'http']
const onlyFrom = { http: ['request.ts', 'front-door.ts'] }

/** Inside node_modules, so that the compiled files find their packages. */
export function compile() {
  const target = join(root, 'node_modules/.cache/bench-redirect')
  rmSync(target, { recursive: true, force: true })
  for (const folder of folders) {
    mkdirSync(join(target, folder), { recursive: true })
    for (const name of readdirSync(join(root, 'src', folder))) {
      if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue
      if (onlyFrom[folder] && !onlyFrom[folder].includes(name)) continue
      const { code } = transformSync(readFileSync(join(root, 'src', folder, name), 'utf8'), {
        filename: name,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'es6' },
      })
      writeFileSync(join(target, folder, name.replace(/ts$/, 'js')), code)
    }
  }
  writeFileSync(join(target, 'package.json'), '{"type":"module"}')
  return target
}

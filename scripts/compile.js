/**
 * `node scripts/compile.js PROJECT SOURCES TARGET`: compiles a folder with the options of a tsconfig.json, in a second.
 * Types are not checked: `npm run build` and `npm run check` do that.
 */
import { readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'

import { transformFile } from '@swc/core'

/** Returns the options for swc that make it compile like tsc with this configuration. */
export function swcOptionsOf(tsconfig) {
  const { target, experimentalDecorators, emitDecoratorMetadata, useDefineForClassFields } =
    compilerOptionsOf(tsconfig)
  return {
    swcrc: false,
    jsc: {
      target,
      parser: { syntax: 'typescript', decorators: experimentalDecorators },
      transform: {
        legacyDecorator: experimentalDecorators,
        decoratorMetadata: emitDecoratorMetadata,
        useDefineForClassFields,
        verbatimModuleSyntax: true,
      },
    },
    module: { type: 'es6' },
  }
}

function compilerOptionsOf(tsconfig) {
  const { extends: base, compilerOptions } = JSON.parse(readFileSync(tsconfig, 'utf8'))
  return { ...(base && compilerOptionsOf(resolve(dirname(tsconfig), base))), ...compilerOptions }
}

/** Returns the names of the files in a folder that are part of a build. */
export async function sourcesIn(folder) {
  return (await readdir(folder, { recursive: true })).filter(isSource)
}

export function isSource(name) {
  return name.endsWith('.ts') && !name.endsWith('.spec.ts')
}

/** Compiles a file and writes it with its source map. Programs are executable, as `npx link-service` requires. */
export async function compileFile(source, target, swcOptions) {
  const sourceFileName = relative(dirname(target), source)
  const { code, map } = await transformFile(source, { ...swcOptions, sourceMaps: true, sourceFileName })
  await mkdir(dirname(target), { recursive: true })
  await writeFile(`${target}.map`, map)
  const mode = code.startsWith('#!') ? 0o755 : 0o644
  await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`, { mode })
}

export function compiledName(name) {
  return name.replace(/ts$/, 'js')
}

if (process.argv[1] === import.meta.filename) {
  const [tsconfig, sources, target] = process.argv.slice(2)
  const options = swcOptionsOf(tsconfig)
  const names = await sourcesIn(sources)
  await Promise.all(
    names.map((name) => compileFile(join(sources, name), join(target, compiledName(name)), options)),
  )
}

/** Hooks of `node:module` that import TypeScript files, for scripts that use files of the tests. Types are not checked. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { transformFile } from '@swc/core'

import { swcOptionsOf } from './compile.js'
import { root } from './fresh.js'

const swcOptions = { ...swcOptionsOf(join(root, 'tsconfig.json')), sourceMaps: 'inline' }

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !specifier.endsWith('.js')) throw error
    return next(specifier.replace(/js$/, 'ts'), context)
  }
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { code } = await transformFile(fileURLToPath(url), swcOptions)
  return { format: 'module', source: code, shortCircuit: true }
}

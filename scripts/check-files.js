/**
 * Checks the sources of the service, the client and the dashboard. Fails on circular imports, on files that are too
 * long, and on two files or types of one part with the same name.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

import ts from 'typescript'

import { root, say } from './fresh.js'

const maxLines = 300
/** Exempt from the limit: migrations, generated files, and the table of problems. */
const anyLength = /^src\/migrations\/|^src\/problems\.ts$|\/generated\//

const files = ['src', 'clients/typescript/src', 'dashboard/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, folder, name)),
)
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

const tooLong = files
  .map((file) => ({ file: nameOf(file), lines: texts.get(file).trimEnd().split('\n').length }))
  .filter(({ file, lines }) => lines > maxLines && !anyLength.test(file))
for (const { file, lines } of tooLong)
  say(`${file} has ${lines} lines, more than the maximum of ${maxLines}.`)

/** Names that may occur more than once. `Props` is the usual name of the properties of a component. */
const repeatableNames = new Set(['limits', 'Props'])
const duplicates = ['src', 'clients/typescript/src', 'dashboard/src'].flatMap((folder) => {
  const partFiles = files.filter(
    (file) =>
      nameOf(file).startsWith(`${folder}/`) &&
      !/^src\/migrations\/|\.spec\.ts$|\/generated\//.test(nameOf(file)),
  )
  return [
    ...duplicateNames(partFiles.map((file) => [stemOf(file), file])),
    ...duplicateNames(partFiles.flatMap((file) => typesOf(file).map((type) => [type, file]))),
  ].filter(({ name }) => !repeatableNames.has(name))
})
for (const { name, places } of duplicates)
  say(`The name ${name} is used more than once: ${places.join(', ')}.`)

const circle = findCircle()
if (circle) say(`Circular import:\n  ${circle.map(nameOf).join('\n  ')}`)

if (circle || tooLong.length > 0 || duplicates.length > 0) process.exitCode = 1

/** Returns the files of a circular import, including type imports, or null. */
function findCircle() {
  const done = new Set()
  const path = []
  const visit = (file) => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return null
    path.push(file)
    for (const imported of importsOf(file)) {
      const found = visit(imported)
      if (found) return found
    }
    path.pop()
    done.add(file)
    return null
  }
  for (const file of files) {
    const found = visit(file)
    if (found) return found
  }
  return null
}

function stemOf(file) {
  return basename(file).replace(/\.tsx?$/, '')
}

function duplicateNames(named) {
  const places = new Map()
  for (const [name, file] of named) places.set(name, [...(places.get(name) ?? []), nameOf(file)])
  return [...places].filter(([, found]) => found.length > 1).map(([name, found]) => ({ name, places: found }))
}

/** Returns the types that a file declares, except additions to interfaces of other files. */
function typesOf(file) {
  const { statements } = ts.createSourceFile(file, texts.get(file), ts.ScriptTarget.Latest)
  return statements
    .filter(
      (statement) =>
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isEnumDeclaration(statement),
    )
    .map(({ name }) => name.text)
}

function importsOf(file) {
  return ts
    .preProcessFile(texts.get(file))
    .importedFiles.flatMap(({ fileName }) =>
      ['.ts', '.tsx'].map((ending) => resolve(dirname(file), fileName.replace(/\.js$/, ending))),
    )
    .filter((imported) => texts.has(imported))
}

function nameOf(file) {
  return relative(root, file)
}

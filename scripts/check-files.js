/**
 * Fails if files of src, of the client or of the dashboard import each other in a circle, if one is too long, or if two
 * files or two types of one of them have the same name.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

import ts from 'typescript'

import { root, say } from './fresh.js'

const mostLines = 300
/** Files of any length: migrations, generated files, and the tables with one entry for each setting or problem. */
const anyLength = /^src\/migrations\/|^src\/(?:settings|problems)\.ts$|\/generated\//

const files = ['src', 'packages/client/src', 'dashboard/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, folder, name)),
)
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

const tooLong = files
  .map((file) => ({ file: nameOf(file), lines: texts.get(file).trimEnd().split('\n').length }))
  .filter(({ file, lines }) => lines > mostLines && !anyLength.test(file))
for (const { file, lines } of tooLong) say(`${file} has ${lines} lines; ${mostLines} are the most.`)

/** `Props` is the usual name of what one component takes, and is never exported. */
const mayRepeat = new Set(['limits', 'Props'])
const namesake = ['src', 'packages/client/src', 'dashboard/src'].flatMap((folder) => {
  const own = files.filter(
    (file) =>
      nameOf(file).startsWith(`${folder}/`) &&
      !/^src\/migrations\/|\.spec\.ts$|\/generated\//.test(nameOf(file)),
  )
  return [
    ...twiceNamed(own.map((file) => [stemOf(file), file])),
    ...twiceNamed(own.flatMap((file) => typesOf(file).map((type) => [type, file]))),
  ].filter(({ name }) => !mayRepeat.has(name))
})
for (const { name, places } of namesake) say(`${name} is the name of two: in ${places.join(' and ')}.`)

const circle = findCircle()
if (circle) say(`These files import each other in a circle:\n  ${circle.map(nameOf).join('\n  ')}`)

if (circle || tooLong.length > 0 || namesake.length > 0) process.exitCode = 1

/** Follows imports, also those of types, until one leads to a file that is already on the way. */
function findCircle() {
  const done = new Set()
  const way = []
  const visit = (file) => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return null
    way.push(file)
    for (const imported of importsOf(file)) {
      const found = visit(imported)
      if (found) return found
    }
    way.pop()
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

function twiceNamed(named) {
  const places = new Map()
  for (const [name, file] of named) places.set(name, [...(places.get(name) ?? []), nameOf(file)])
  return [...places].filter(([, found]) => found.length > 1).map(([name, found]) => ({ name, places: found }))
}

/** The types that a file declares itself. Its additions to interfaces of other files do not count. */
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

/** Fails where files of src, of the client or of the dashboard import each other in a circle, or where one has grown past what one subject needs. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import ts from 'typescript'

import { root, say } from './fresh.js'

const mostLines = 300
/** A migration is never changed once it is released; what is generated nobody reads. */
const anyLength = /^src\/migrations\/|\/generated\//

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

const circle = findCircle()
if (circle) say(`These files import each other in a circle:\n  ${circle.map(nameOf).join('\n  ')}`)
if (circle || tooLong.length > 0) process.exitCode = 1

/** Goes along the imports, types included, and stops at a file that is on the way already. */
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

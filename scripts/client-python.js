/**
 * `node scripts/client-python.js [--check]`: generates the types and methods of the Python client from openapi.json.
 * With --check, fails if the committed files differ.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { root, say } from './fresh.js'
import { methodsText } from './client-python/methods.js'
import { operationsText, readOperations } from './client-python/operations.js'
import { typesText } from './client-python/types.js'

const folder = join(root, 'clients/python/src/link_service/_generated')

const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'))
const operations = readOperations(document)
const files = {
  '__init__.py': '"""Generated from openapi.json by scripts/client-python.js."""\n',
  'types.py': typesText(document),
  'operations.py': operationsText(document, operations),
  'methods.py': methodsText(operations, { isAsync: false }),
  'async_methods.py': methodsText(operations, { isAsync: true }),
}

await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(files)) {
  const file = join(folder, name)
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    say(`${name} of the Python client is out of date. Regenerate it: node scripts/client-python.js`)
    process.exitCode = 1
  }
}

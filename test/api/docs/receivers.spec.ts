/** docs/receivers/README.md lists every example receiver with its command. A system test runs the receivers. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = 'docs/receivers'
const page = readFileSync(`${folder}/README.md`, 'utf8')
const files = readdirSync(folder).filter((name) => name.startsWith('receiver.'))

it('has receivers in five languages', () => {
  expect(files).toHaveLength(5)
})

it.each(files)('lists %s with the command in its first line', (name) => {
  const [firstLine = ''] = readFileSync(`${folder}/${name}`, 'utf8').split('\n')
  const command = firstLine.replace(/^\S+ /, '').replace('WEBHOOK_SECRET=whsec_… PORT=4000 ', '')
  expect(command).toContain(name)
  expect(page).toContain(`| [${name}](${name}) | \`${command}\` |`)
})

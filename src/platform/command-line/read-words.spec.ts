import { command } from './command.js'
import type { Commands } from './command.js'
import { commandLinePage, helpText, overview } from './help.js'
import { nearest, readWords } from './read-words.js'

const noRun = () => undefined
const commands: Commands = {
  all: command({ summary: 'Run all', example: 'all', run: noRun }),
  'link get': command({
    summary: 'Show a link',
    operands: ['ID'],
    options: { name: { value: 'NAME', text: 'a name' }, json: { text: 'as JSON' } },
    example: 'link get lnk_1',
    run: noRun,
  }),
  'link list': command({ summary: 'List links', example: 'link list', run: noRun }),
}
const read = (line: string) => readWords(line === '' ? [] : line.split(' '), commands)

describe('words', () => {
  it.each([
    ['link get lnk_1', {}, ['lnk_1']],
    ['--json link get lnk_1', { json: true }, ['lnk_1']],
    ['link --name a get lnk_1 --json', { name: 'a', json: true }, ['lnk_1']],
    ['link get lnk_1 --name=--a', { name: '--a' }, ['lnk_1']],
    ['link get -- --odd', {}, ['--odd']],
  ])('%s', (line, given, operands) => {
    expect(read(line)).toEqual({ kind: 'command', command: commands['link get'], given, operands })
  })

  it.each([
    ['', { kind: 'nothing' }],
    ['--help', { kind: 'help', about: '' }],
    ['-h', { kind: 'help', about: '' }],
    ['help', { kind: 'help', about: '' }],
    ['help link get', { kind: 'help', about: 'link get' }],
    ['version', { kind: 'version' }],
    ['link --help', { kind: 'help', about: 'link' }],
    ['link get --help --nonsense', { kind: 'help', about: 'link get' }],
    ['--version', { kind: 'version' }],
    ['-v', { kind: 'version' }],
  ])('that ask for something else than a command: %j', (line, request) => {
    expect(read(line)).toEqual(request)
  })

  it.each([
    ['lnk get', 'There is no command lnk get. Did you mean link get? See: link-service --help'],
    ['link gt x', 'There is no command link gt. Did you mean link get? See: link-service link --help'],
    ['serve', 'There is no command serve. See: link-service --help'],
    ['link', 'link takes one of: get, list. See: link-service link --help'],
    [
      'link get x --nme y',
      'link get has no option --nme. Did you mean --name? See: link-service link get --help',
    ],
    ['link list --json', 'link list has no option --json. See: link-service link list --help'],
    ['link get x --name', '--name takes a value: --name NAME. See: link-service link get --help'],
    ['link get x --name --json', '--name takes a value: --name NAME. See: link-service link get --help'],
    ['link get x --json=yes', '--json takes no value. See: link-service link get --help'],
    ['link get', 'link get takes one word: ID. See: link-service link get --help'],
    ['link get x y', 'link get takes one word: ID. See: link-service link get --help'],
    ['all x', 'all takes no further word. See: link-service all --help'],
    ['--json', 'A command comes before --json. See: link-service --help'],
    ['toString', 'There is no command toString. See: link-service --help'],
    ['link get x --constructor', 'link get has no option --constructor. See: link-service link get --help'],
  ])('that mean nothing: %s', (line, says) => {
    expect(() => read(line)).toThrow(says)
  })
})

describe('help', () => {
  it('lists all commands, or those with one first word', () => {
    const { all, ...others } = commands
    expect(overview({ 'Run it': { all: all! }, 'Call it': others })).toContain(
      '\n\nRun it:\n  all          Run all\n\nCall it:\n  link get ID  Show a link\n',
    )
    expect(helpText('link', commands)).toContain('\n  link get ID  Show a link\n')
    expect(helpText('link', commands)).not.toContain('Run all')
  })

  it('has the options and an example of each command, on the page too', () => {
    const text = [
      'Usage: link-service link get ID [options]',
      '',
      'Show a link.',
      '',
      'Options:',
      '  --name NAME  a name',
      '  --json       as JSON',
      '',
      'Example:',
      '  link-service link get lnk_1',
    ].join('\n')
    expect(helpText('link get', commands)).toBe(`${text}\n`)
    expect(commandLinePage(commands, '')).toContain(`## link get\n\n\`\`\`text\n${text}\n\`\`\`\n`)
  })
})

it.each([
  ['scope', ['name', 'scopes', 'json'], 'scopes'],
  ['jsn', ['name', 'json'], 'json'],
  ['lnks list', ['links list', 'links get'], 'links list'],
  ['links lst', ['links list', 'links get'], 'links list'],
  ['desc', ['description', 'name'], 'description'],
  ['colour', ['name', 'json'], null],
  ['', ['all'], null],
])('who writes %j perhaps means one of %j', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant)
})

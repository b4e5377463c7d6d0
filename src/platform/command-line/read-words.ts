/** Reads the words of a command line. An unknown word is refused with a line that names the nearest known one. */
import { parseArgs } from 'node:util'

import { UsageError } from './usage-error.js'
import type { Command, Commands, GivenOptions } from './command.js'

export type CommandRequest =
  | { kind: 'command'; command: Command; given: GivenOptions; operands: string[] }
  /** `about` is a command, the first word of several commands, or empty. */
  | { kind: 'help'; about: string }
  | { kind: 'version' }
  | { kind: 'nothing' }

interface GivenOption {
  name: string
  value: string | undefined
  isInline: boolean
}

export function readWords(argv: readonly string[], commands: Commands): CommandRequest {
  const { words, options } = split(argv, commands)
  // `link-service help` means `link-service --help`; `version` likewise.
  const [first = ''] = words
  if ((first === 'help' || first === 'version') && !Object.hasOwn(commands, first))
    return readWords([...words.slice(1), `--${first}`], commands)
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => Object.hasOwn(commands, each))
  if (options.some((option) => option.name === 'help' || option.name === 'h'))
    return { kind: 'help', about: helpAbout(words, name, commands) }
  if (name === undefined && options.some((option) => option.name === 'version' || option.name === 'v'))
    return { kind: 'version' }
  if (words.length === 0 && options.length === 0) return { kind: 'nothing' }
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || !command) throw unknownCommand(words, options, commands)
  const given = checkedOptions(name, command, options)
  const operands = words.slice(name.split(' ').length)
  const fewest = command.operands.filter((operand) => !operand.startsWith('[')).length
  if (operands.length < fewest || operands.length > command.operands.length || operands.includes(''))
    throw new UsageError(`${name} takes ${wordsTaken(command.operands)}. ${seeHelp(name)}`)
  return { kind: 'command', command, given, operands }
}

function split(argv: readonly string[], commands: Commands): { words: string[]; options: GivenOption[] } {
  const known = Object.assign(
    {},
    ...Object.values(commands).map(({ options }) => options),
  ) as Command['options']
  const config = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' } as const,
    ]),
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const options = tokens.flatMap((token) =>
    token.kind === 'option'
      ? [{ name: token.name, value: token.value, isInline: token.inlineValue === true }]
      : [],
  )
  return { words, options }
}

function helpAbout(words: readonly string[], name: string | undefined, commands: Commands): string {
  if (name !== undefined) return name
  const [first = ''] = words
  if (first === '' || Object.keys(commands).some((each) => each.startsWith(`${first} `))) return first
  throw unknownCommand(words, [], commands)
}

function unknownCommand(
  words: readonly string[],
  options: readonly GivenOption[],
  commands: Commands,
): UsageError {
  const [first] = words
  if (first === undefined)
    return new UsageError(`A command comes before --${options[0]?.name}. ${seeHelp('')}`)
  const names = Object.keys(commands)
  const ofGroup = names.filter((each) => each.startsWith(`${first} `))
  if (ofGroup.length > 0 && words.length === 1)
    return new UsageError(
      `${first} takes one of: ${ofGroup.map((each) => each.split(' ')[1]).join(', ')}. ${seeHelp(first)}`,
    )
  const meant = nearest(words.slice(0, 2).join(' '), names) ?? nearest(first, names)
  return new UsageError(
    `There is no command ${words.slice(0, 2).join(' ')}.${meant === null ? '' : ` Did you mean ${meant}?`} ${seeHelp(ofGroup.length > 0 ? first : '')}`,
  )
}

function checkedOptions(name: string, { options }: Command, given: readonly GivenOption[]): GivenOptions {
  for (const { name: option, value, isInline } of given) {
    const declared = Object.hasOwn(options, option) ? options[option] : undefined
    if (!declared) {
      const meant = nearest(option, Object.keys(options))
      throw new UsageError(
        `${name} has no option --${option}.${meant === null ? '' : ` Did you mean --${meant}?`} ${seeHelp(name)}`,
      )
    }
    if (declared.value === undefined && value !== undefined)
      throw new UsageError(`--${option} takes no value. ${seeHelp(name)}`)
    if (declared.value !== undefined && (value === undefined || (!isInline && value.startsWith('--'))))
      throw new UsageError(`--${option} takes a value: --${option} ${declared.value}. ${seeHelp(name)}`)
  }
  return Object.fromEntries(given.map(({ name: option, value }) => [option, value ?? true]))
}

function wordsTaken(operands: readonly string[]): string {
  if (operands.length === 0) return 'no further word'
  return `${operands.length === 1 ? 'one word' : `${operands.length} words`}: ${operands.join(' ')}`
}

function seeHelp(name: string): string {
  return `See: link-service ${name === '' ? '' : `${name} `}--help`
}

/** The known word nearest to an unknown one; null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(word.length / 3))
  const near = known
    .map((each) => ({ each, distance: each.startsWith(word) && word.length > 2 ? 1 : distance(word, each) }))
    .filter((candidate) => candidate.distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.each ?? null
}

/** How many letters have to be put in, left out or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, other] of Array.from(b).entries())
      next.push(Math.min(row[j]! + (letter === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row[b.length]!
}

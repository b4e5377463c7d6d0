/** What a command of the binary declares: `--help`, the checks of the words and the page of the docs all read it. */
interface Option {
  /** The placeholder for the option's value in the help. An option without it is a flag. */
  value?: string
  text: string
}

type CommandOptions = Readonly<Record<string, Option>>

/** The options that were given, after they were checked. */
export type GivenOptions = Readonly<Record<string, string | boolean>>

type Given<O extends CommandOptions> = {
  readonly [Name in keyof O]?: (O[Name] extends { value: string } ? string : boolean) | undefined
}

export interface Command {
  summary: string
  /** The words that follow the command's name, as the help shows them. Words in brackets are optional. */
  operands: readonly string[]
  options: CommandOptions
  /** The words of an example, without `link-service`. */
  example: string
  run(given: GivenOptions, operands: readonly string[]): Promise<void> | void
}

export type Commands = Readonly<Record<string, Command>>

interface DeclaredCommand<O extends CommandOptions> {
  summary: string
  operands?: readonly string[]
  options?: O
  example: string
  run(given: Given<O>, ...operands: string[]): Promise<void> | void
}

/** Declares a command whose `run` sees only its own options, with their types. */
export function command<const O extends CommandOptions>(declared: DeclaredCommand<O>): Command {
  const { summary, operands = [], options = {}, example } = declared
  return {
    summary,
    operands,
    options,
    example,
    run: (given, words) => declared.run(given as Given<O>, ...words),
  }
}

export const jsonOption = { json: { text: 'print one JSON document and nothing else' } } as const

/** The commands and options that completion scripts contain, and how shells write them. */

interface CompletedOption {
  flags: readonly string[]
  description: string
  takesValue: boolean
  /** Valid values. Empty for an option with any value, where the shell completes file names. */
  choices: readonly string[]
}

/** A command or a group, such as ` links create`. The program itself has the path ''. */
export interface CompletedCommand {
  path: string
  children: readonly { name: string; description: string }[]
  /** Values of the first argument, if they are known. */
  values: readonly string[]
  options: readonly CompletedOption[]
}

/** Quotes text as one word for any of the shells. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns the name of a shell function for the program. */
export function functionName(program: string): string {
  return `_${program.replaceAll(/\W/g, '_')}`
}

/** Returns the patterns of a shell's `case` for the paths of all commands except the program itself. */
export function pathPatterns(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join(' | ')
}

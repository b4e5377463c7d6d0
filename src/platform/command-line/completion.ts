/** Writes completion scripts for shells from the command tree. The scripts do not run the program, so they are fast. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings'

interface CompletedOption {
  flags: readonly string[]
  description: string
  takesValue: boolean
  /** Valid values. Empty for an option with any value, where the shell completes file names. */
  choices: readonly string[]
}

/** A command or a group, such as ` links create`. The program itself has the path ''. */
interface CompletedCommand {
  path: string
  children: readonly { name: string; description: string }[]
  /** Values of the first argument, if they are known. */
  values: readonly string[]
  options: readonly CompletedOption[]
}

export const shells = ['bash', 'zsh', 'fish'] as const

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

export function completionScript(shell: (typeof shells)[number], program: CommandUnknownOpts): string {
  return scripts[shell](program.name(), listCommands(program, ''))
}

function listCommands(command: CommandUnknownOpts, path: string): CompletedCommand[] {
  const help = command.createHelp()
  const children = help.visibleCommands(command)
  const own: CompletedCommand = {
    path,
    children: children.map((child) => ({ name: child.name(), description: child.description() })),
    values: command.registeredArguments[0]?.argChoices ?? [],
    options: help
      .visibleOptions(command)
      .map(({ short, long, description, argChoices, required, optional }) => ({
        flags: [short, long].filter((flag) => flag !== undefined),
        description,
        takesValue: required || optional,
        choices: argChoices ?? [],
      })),
  }
  return [own, ...children.flatMap((child) => listCommands(child, `${path} ${child.name()}`))]
}

/** Quotes text as one word for any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns the name of a shell function for the program. */
function functionName(program: string): string {
  return `_${program.replaceAll(/\W/g, '_')}`
}

/** Returns the patterns of a shell's `case` for the paths of all commands except the program itself. */
function pathPatterns(commands: readonly CompletedCommand[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join(' | ')
}

/** Returns a branch of a shell's `case` for each option that takes a value. */
function valueBranches(
  commands: readonly CompletedCommand[],
  completeValue: (choices: readonly string[]) => string,
): string[] {
  return commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const patterns = flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ')
        return `    ${patterns}) ${completeValue(choices)} ;;`
      }),
  )
}

/** `-o default` completes file names where the script has no completions. */
function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program)
  const values = valueBranches(commands, (choices) => `words=${quoted(choices.join(' '))}`)
  const words = commands.map(({ path, children, values: first, options }) => {
    const all = [...children.map((child) => child.name), ...first, ...options.flatMap(({ flags }) => flags)]
    return `        ${quoted(path)}) words=${quoted(all.join(' '))} ;;`
  })
  return `# Completes ${program} in bash. Generated: ${program} completion bash
${name}() {
  local command='' words='' word current="\${COMP_WORDS[COMP_CWORD]}" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
      ${pathPatterns(commands)}) command="$command \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
    *)
      case "$command" in
${words.join('\n')}
      esac
      ;;
  esac
  COMPREPLY=()
  while IFS='' read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}
complete -o default -F ${name} ${program}
`
}

function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program)
  const values = valueBranches(commands, (choices) =>
    choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}; return` : '_files; return',
  )
  const words = commands.map(({ path, children, values: first, options }) => {
    const flags = options.flatMap((option) => option.flags.map((flag) => described(flag, option.description)))
    const nested = [
      ...children.map((child) => described(child.name, child.description)),
      ...first.map(quoted),
    ]
    return `    ${quoted(path)}) commands=(${nested.join(' ')}); options=(${flags.join(' ')}) ;;`
  })
  return `#compdef ${program}
# Completes ${program} in zsh. Generated: ${program} completion zsh
${name}() {
  local command='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$command \${words[i]}" in
      ${pathPatterns(commands)}) command="$command \${words[i]}" ;;
    esac
  done
  case "$command \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$command" in
${words.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option options
  elif (( \${#commands} > 0 )); then
    _describe command commands
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == ${name} ]]; then
  ${name} "$@"
else
  compdef ${name} ${program}
fi
`
}

/** A colon separates the word from its description. */
function described(word: string, description: string): string {
  return quoted(`${word}:${description}`)
}

function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = `_${functionName(program)}_at`
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quotedForFish(path))
  const lines = commands.flatMap(({ path, children, values, options }) => {
    const at = `complete -c ${program} -n ${quotedForFish(`${name} ${quotedForFish(path)}`)}`
    return [
      ...children.map((child) => `${at} -f -a ${child.name} -d ${quotedForFish(child.description)}`),
      ...(values.length > 0 ? [`${at} -f -a ${quotedForFish(values.join(' '))}`] : []),
      ...options.map(({ flags, description, takesValue, choices }) => {
        const forms = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        )
        const value =
          choices.length > 0 ? ['-x', '-a', quotedForFish(choices.join(' '))] : takesValue ? ['-r'] : []
        return [at, ...forms, ...value, '-d', quotedForFish(description)].join(' ')
      }),
    ]
  })
  return `# Completes ${program} in fish. Generated: ${program} completion fish
function ${name} --description 'Whether the command line is at this command'
    set -l command ''
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if contains -- "$command $word" ${paths.join(' ')}
            set command "$command $word"
        end
    end
    test "$command" = "$argv[1]"
end
${lines.join('\n')}
`
}

/** In fish, a backslash escapes a quote or a backslash inside single quotes. */
function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

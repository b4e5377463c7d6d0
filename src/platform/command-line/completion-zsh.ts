import { functionName, pathPatterns, quoted } from './completion-tree.js'
import type { CompletedCommand } from './completion-tree.js'

export function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program)
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const patterns = flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ')
        const action = choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}` : '_files'
        return `    ${patterns}) ${action}; return ;;`
      }),
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

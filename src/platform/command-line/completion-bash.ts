import { functionName, pathPatterns, quoted } from './completion-tree.js'
import type { CompletedCommand } from './completion-tree.js'

/** `-o default` completes file names where the script has no completions. */
export function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program)
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const patterns = flags.map((flag) => quoted(`${path} ${flag}`)).join(' | ')
        return `    ${patterns}) words=${quoted(choices.join(' '))} ;;`
      }),
  )
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

import { functionName } from './completion-tree.js'
import type { CompletedCommand } from './completion-tree.js'

export function fishScript(program: string, commands: readonly CompletedCommand[]): string {
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

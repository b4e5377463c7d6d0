/** Writes completion scripts for shells from the command tree. The scripts do not run the program, so they are fast. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings'

import { bashScript } from './completion-bash.js'
import { fishScript } from './completion-fish.js'
import type { CompletedCommand } from './completion-tree.js'
import { zshScript } from './completion-zsh.js'

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

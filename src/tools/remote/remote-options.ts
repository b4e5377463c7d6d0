/** Adds the options that commands of the API share: the connection, the output and `--watch`. */
import type { Command, OptionValues } from '@commander-js/extra-typings'

import { jsonOption, withOutput } from '../../platform/command-line/output.js'
import { withConnection } from './connection.js'
import { withWatch } from './watch.js'

/** For a command that prints sentences. */
export function withJson<Args extends unknown[], Options extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Options, Globals>,
  example: string,
) {
  return withConnection(command, example).addOption(jsonOption)
}

/** For a command that prints a resource. */
export function withResult<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>, example: string) {
  return withOutput(withConnection(command, example))
}

/** For a command that prints a list. */
export function withList<Args extends unknown[], Options extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Options, Globals>,
  example: string,
) {
  return withWatch(withResult(command, example))
}

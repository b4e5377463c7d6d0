/** Output that all commands share. */
import { Option } from '@commander-js/extra-typings'

export const jsonOption = new Option('--json', 'print one JSON document and nothing else')

/** Returns the example at the end of a command's help. */
export function exampleText(command: string): string {
  return `\nExample:\n  link-service ${command}`
}

export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

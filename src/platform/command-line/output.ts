/** What all commands print in the same way. */
import { Option } from '@commander-js/extra-typings'

export const jsonOption = new Option('--json', 'print one JSON document and nothing else')

/** The last lines of a command's help. */
export function exampleText(words: string): string {
  return `\nExample:\n  link-service ${words}`
}

export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

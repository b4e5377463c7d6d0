/** What commands write to standard output. */

export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** Shows progress on one line of a terminal, which is rewritten. Without a terminal nothing is shown. */
const width = 30
const everyMs = 100

export class ProgressBar {
  private readonly isShown = process.stderr.isTTY
  private shownAt = -Infinity

  show(what: string, share: number, rest: string): void {
    const now = performance.now()
    if (!this.isShown || now - this.shownAt < everyMs) return
    this.shownAt = now
    const done = Math.round(Math.min(1, share) * width)
    const bar = '█'.repeat(done).padEnd(width, '░')
    process.stderr.write(`\r\u001b[2K${what} ${bar} ${Math.floor(share * 100)} %  ${rest}`)
  }

  clear(): void {
    if (this.isShown && this.shownAt > -Infinity) process.stderr.write('\r\u001b[2K')
    this.shownAt = -Infinity
  }
}

/** A size for people, such as 12.0 MiB. */
export function inBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

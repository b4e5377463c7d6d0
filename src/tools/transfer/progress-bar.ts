/** Shows progress on one line of a terminal. Shows nothing if standard error is not a terminal. */
const width = 30
const intervalMs = 100

export class ProgressBar {
  private readonly isShown = process.stderr.isTTY
  private shownAt = -Infinity

  show(label: string, share: number, details: string): void {
    const now = performance.now()
    if (!this.isShown || now - this.shownAt < intervalMs) return
    this.shownAt = now
    const filled = Math.round(Math.min(1, share) * width)
    const bar = '█'.repeat(filled).padEnd(width, '░')
    process.stderr.write(`\r\u001b[2K${label} ${bar} ${Math.floor(share * 100)} %  ${details}`)
  }

  clear(): void {
    if (this.isShown && this.shownAt > -Infinity) process.stderr.write('\r\u001b[2K')
    this.shownAt = -Infinity
  }
}

/** Formats a size, such as 12.0 MiB. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

import type { Socket } from 'node:net'

/** How much undici may read at once. Its parser goes through all it gets, also when the first byte was one too many. */
const sliceBytes = 1024
/** Without a header block or body data coming of it. */
const mostQuietBytes = 16 * 1024
const mostQuietLines = 256
/** In all: far beyond what the headers and the body that are kept can take. */
const mostBytes = 256 * 1024

/**
 * Watches what is read of an answer. Undici limits the bytes of names and values, and keeps an object for each of them: a
 * header of one byte costs it two hundred, so that a receiver with 16,000 of those would take some megabytes. And it sets no
 * limit for status lines, chunk extensions and blank lines.
 */
export class Intake {
  private total = 0
  private quiet = 0
  private quietLines = 0

  constructor(socket: Socket, onFlood: () => void) {
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null
    socket.read = () => {
      // Undici would go on to parse what is left of a connection that it has already given up.
      if (socket.destroyed) return null
      if (this.isFlooded()) {
        onFlood()
        return null
      }
      const slice = read(Math.min(socket.readableLength, sliceBytes) || undefined)
      if (slice) this.count(slice)
      return slice
    }
  }

  startAnswer(): void {
    this.total = 0
    this.progress()
  }

  progress(): void {
    this.quiet = 0
    this.quietLines = 0
  }

  private isFlooded(): boolean {
    return this.quiet > mostQuietBytes || this.quietLines > mostQuietLines || this.total > mostBytes
  }

  private count(slice: Buffer): void {
    // Almost always the first slice is the whole answer, and not worth counting.
    if (this.quiet > 0) for (const byte of slice) if (byte === 0x0a) this.quietLines += 1
    this.quiet += slice.length
    this.total += slice.length
  }
}

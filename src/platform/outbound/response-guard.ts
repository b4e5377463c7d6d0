import type { Socket } from 'node:net'

/** How much undici parses at once. Its parser goes through all it gets, also when the first byte was one too many. */
const sliceBytes = 1024
/** Bytes that may be read in a row without a header block or body data. */
const mostQuietBytes = 16 * 1024
const mostQuietLines = 256
/** In all: far beyond what the headers and the body that are kept can take. */
const mostBytes = 256 * 1024

/**
 * Watches what is read of an answer. Undici limits the bytes of names and values, and keeps an object for each of them: a
 * header of one byte costs it two hundred, so that a receiver with 16,000 of those would take some megabytes. And it sets no
 * limit for status lines, chunk extensions and blank lines.
 *
 * It does so as one more listener of the socket. Node tells `data` of every read, before the reader has the bytes: there
 * each slice is counted, and the next one is put back for the read that follows.
 */
export class ResponseGuard {
  private total = 0
  private quiet = 0
  private quietLines = 0
  /** Read from the socket and not yet put back. */
  private rest: Buffer = Buffer.alloc(0)
  private isTaking = false

  /** Must be made after undici listens, because a listener for `data` alone would set the socket flowing. */
  constructor(
    private readonly socket: Socket,
    private readonly onFlood: () => void,
  ) {
    socket.prependListener('readable', () => this.cut())
    socket.on('data', (slice: Buffer) => this.pass(slice))
  }

  startAnswer(): void {
    this.total = 0
    this.progress()
  }

  progress(): void {
    this.quiet = 0
    this.quietLines = 0
  }

  /** Comes before undici's own listener, which then reads until there is nothing left. */
  private cut(): void {
    if (this.socket.readableLength <= sliceBytes) return
    this.isTaking = true
    this.rest = this.socket.read() as Buffer
    this.isTaking = false
    this.putBack()
  }

  private pass(slice: Buffer): void {
    if (this.isTaking) return
    if (this.isFlooded()) this.onFlood()
    this.count(slice)
    this.putBack()
  }

  private putBack(): void {
    if (this.rest.length === 0) return
    const slice = this.rest.subarray(0, sliceBytes)
    this.rest = this.rest.subarray(sliceBytes)
    // Once the connection is given up, this drops what is left of it.
    if (!this.socket.destroyed) this.socket.unshift(slice)
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

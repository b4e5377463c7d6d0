/** The beginning of an answer's body: as much as is kept. */
import { plainText } from './safe-text.js'

const mostBytes = 16 * 1024
const nothing = Buffer.alloc(0)

export class ResponseBody {
  private bytes: Buffer = nothing
  private length = 0
  private cut = false

  /** False when there was more than is kept. */
  add(chunk: Buffer): boolean {
    const kept = Math.min(chunk.length, mostBytes - this.length)
    this.cut = kept < chunk.length
    if (this.length === 0) this.bytes = chunk.subarray(0, kept)
    else this.append(chunk, kept)
    this.length += kept
    return !this.cut
  }

  text(): string {
    if (this.length === 0) return ''
    const kept = this.bytes.subarray(0, this.length)
    // A stream decoder leaves out a character that the cut went through, instead of marking it as broken.
    return plainText(this.cut ? new TextDecoder().decode(kept, { stream: true }) : kept.toString())
  }

  /** Copies: a body that comes byte by byte must not keep a buffer alive for each of them. */
  private append(chunk: Buffer, kept: number): void {
    const needed = this.length + kept
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(mostBytes, needed * 2))
      this.bytes.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    chunk.copy(this.bytes, this.length, 0, kept)
  }
}

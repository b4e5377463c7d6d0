/**
 * The lines of a turn, as the bytes that go to the file. Each is copied and given its checksum while its text is still
 * at hand: joining strings first and encoding them at the end of the turn costs twice as much.
 */
import { checksumDigits, checksumOf, tab } from './click-line.js'

const newline = 10
const hexDigits = Buffer.from('0123456789abcdef', 'latin1')

export class LineBuffer {
  lineCount = 0
  length = 0
  private buffer = Buffer.allocUnsafe(256 * 1024)

  /** How many bytes a line with these fields takes. */
  static lengthOf(fields: string): number {
    return fields.length + 2 + checksumDigits
  }

  /** Adds a line. The fields are ASCII: as many bytes as characters. */
  add(fields: string): void {
    const start = this.length
    if (start + LineBuffer.lengthOf(fields) > this.buffer.length) this.grow(LineBuffer.lengthOf(fields))
    const { buffer } = this
    const end = start + buffer.write(fields, start, 'latin1')
    const checksum = checksumOf(buffer.subarray(start, end))
    let at = end
    buffer[at++] = tab
    for (let shift = 28; shift >= 0; shift -= 4) buffer[at++] = hexDigits[(checksum >>> shift) & 15]!
    buffer[at++] = newline
    this.length = at
    this.lineCount++
  }

  /** The lines so far. Only until the next `add`: the bytes are used again. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    this.lineCount = 0
  }

  private grow(room: number): void {
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + room)
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

/** Reads what a service sent to PostgreSQL: the statements that were run, the prepared ones by their text too. */
const [query, parse, bind] = ['Q', 'P', 'B'].map((letter) => letter.charCodeAt(0))

export class SentStatements {
  /** Texts by the names under which they were prepared, which connections share. */
  private readonly prepared = new Map<string, string>()

  /** The bytes begin at a message, and messages of connections do not mix: each is sent in one piece. */
  read(bytes: Buffer): string[] {
    const statements: string[] = []
    for (let at = 0; at + 5 <= bytes.length;) {
      // A greeting has no type: its length comes first, and no message is so long.
      if (bytes[at] === 0) {
        at += bytes.readInt32BE(at)
        continue
      }
      const end = at + 1 + bytes.readInt32BE(at + 1)
      const texts = bytes.toString('utf8', at + 5, end).split('\0')
      if (bytes[at] === query) statements.push(texts[0]!)
      else if (bytes[at] === parse) this.prepared.set(texts[0]!, texts[1]!)
      else if (bytes[at] === bind) statements.push(this.prepared.get(texts[1]!) ?? `unknown ${texts[1]}`)
      at = end
    }
    return statements.filter((text) => text !== '')
  }
}

/**
 * Repeats a round until that many have sent what is expected, and fails with what the last one sent. On a loaded machine
 * the change feed may be late; then caches ask the database, as they must, and the round says nothing of them.
 */
export async function expectRounds(
  wanted: number,
  round: () => Promise<string[]>,
  expected: (sent: string[]) => void,
): Promise<void> {
  for (let left = wanted, tries = 20 + wanted; left > 0; tries--) {
    const sent = await round()
    try {
      expected(sent)
      left--
    } catch (error) {
      if (tries === 0) throw error
    }
  }
}

export const nothing = (sent: string[]) => expect(sent).toEqual([])

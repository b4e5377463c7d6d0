/** Reads the statements of a service from its bytes to PostgreSQL. Prepared statements are returned with their text. */
import { ChangeFeed } from '../../src/platform/database/change-feed.js'
import { isBackgroundStatement } from './background-statements.js'
import type { Service } from './service.js'

const { jest } = import.meta
const [query, parse, bind] = ['Q', 'P', 'B'].map((letter) => letter.charCodeAt(0))

export class SentStatements {
  /** Texts of prepared statements by name. Names are the same on all connections. */
  private readonly prepared = new Map<string, string>()

  /** The bytes must start at a message. Messages of several connections do not interleave. */
  read(bytes: Buffer): string[] {
    const statements: string[] = []
    for (let at = 0; at + 5 <= bytes.length;) {
      // A startup message has no type byte. It starts with its length, whose first byte is 0.
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
    return statements.filter((text) => text !== '' && !isBackgroundStatement(text))
  }
}

/**
 * Runs a round `count` times and checks the statements of each. Repeats a round in which the change feed was late, as
 * on a busy machine, because caches then query the database.
 */
export async function expectRounds(
  { app }: Pick<Service, 'app'>,
  count: number,
  round: () => Promise<string[]>,
  expected: (sent: string[]) => void,
): Promise<void> {
  const isFresh = jest.spyOn(app.get(ChangeFeed, { strict: false }), 'isFresh')
  try {
    for (let left = count, late = 0; left > 0;) {
      isFresh.mockClear()
      const sent = await round()
      const wasLate = isFresh.mock.results.some(({ value }) => value === false)
      if (wasLate && ++late <= maxLate) continue
      expected(sent)
      left--
    }
  } finally {
    isFresh.mockRestore()
  }
}

const maxLate = 20

export const nothing = (sent: string[]) => expect(sent).toEqual([])

import { entityTag } from './entity-tag.js'
import { outcomeOf, textOf } from './repeated-answers.js'

class Record {
  static readonly versionedBy: readonly string[] = ['id']
  constructor(
    readonly id: string,
    readonly name: string,
  ) {}
}

describe('a body that is answered again and again', () => {
  it('has the text and the tag that it has when it is answered once', () => {
    const body = Object.freeze(new Record('a', 'ü "quoted"'))
    for (let time = 0; time < 2; time++) {
      expect(textOf(body)).toBe(JSON.stringify(body))
      expect(outcomeOf(body).tag).toBe(entityTag(body))
    }
  })

  it('is not taken for another one that looks alike', () => {
    expect(textOf(Object.freeze(new Record('a', 'one')))).not.toBe(
      textOf(Object.freeze(new Record('a', 'other'))),
    )
  })

  it('may be of a kind that has no tag', () => {
    expect(outcomeOf(Object.freeze({ id: 'a' })).tag).toBeNull()
  })
})

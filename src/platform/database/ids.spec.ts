import { decodeId, encodeId, lowestIdAt, newId, getIdTime, GrowingIds } from './ids.js'

describe('ids', () => {
  it('match the TypeID specification', () => {
    expect(encodeId('tok', '00000000-0000-0000-0000-000000000000')).toBe('tok_00000000000000000000000000')
    expect(encodeId('tok', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('tok_7zzzzzzzzzzzzzzzzzzzzzzzzz')
    expect(encodeId('tok', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('tok_01h455vb4pex5vsknk084sn02q')
  })

  it('are unchanged after encoding and decoding', () => {
    for (let i = 0; i < 1000; i++) {
      const id = newId()
      expect(decodeId('wsp', encodeId('wsp', id))).toBe(id)
    }
  })

  it('sort in the order of their creation, even within a millisecond', () => {
    const ids = Array.from({ length: 5000 }, newId)
    expect([...ids].sort()).toEqual(ids)
  })

  it('contain the time of their creation', () => {
    const before = Date.now()
    const time = getIdTime(newId()).getTime()
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now() + 1)
    expect(getIdTime(lowestIdAt(new Date(time))).getTime()).toBe(time)
  })

  it.each([
    '',
    'tok_',
    'tok',
    'wsp_01h455vb4pex5vsknk084sn02q',
    'tok_01H455VB4PEX5VSKNK084SN02Q',
    'tok_81h455vb4pex5vsknk084sn02q',
    'tok_01h455vb4pex5vsknk084sn02u',
    'tok_01h455vb4pex5vsknk084sn02',
    'tok_01h455vb4pex5vsknk084sn02qq',
    'tok_01h455vb4pex5vsknk084sn02q\n',
    '01890a5d-ac96-774b-bcce-b302099a8057',
    "tok_' OR 1=1 --",
  ])('are not decoded from %j', (text) => {
    expect(decodeId('tok', text)).toBeNull()
  })
})

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const timeIn = (id: string) => parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

describe('growing ids', () => {
  it('are version 7 UUIDs that contain their millisecond', () => {
    const ids = new GrowingIds()
    for (const time of [0, 1, 1_763_712_000_000, 1_763_712_000_001, 2 ** 47]) {
      const id = ids.nextId(time)
      expect(id).toMatch(uuid7)
      expect(timeIn(id)).toBe(time)
    }
  })

  it('strictly increase, within a millisecond and across milliseconds', () => {
    const generator = new GrowingIds()
    const ids = Array.from({ length: 50_000 }, (_, i) =>
      generator.nextId(1_763_712_000_000 + Math.floor(i / 20_000)),
    )
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keep increasing when the clock steps back a little, and follow it when it steps back far', () => {
    const ids = new GrowingIds()
    const first = ids.nextId(1_763_712_010_000)
    const second = ids.nextId(1_763_712_009_500)
    expect(second > first).toBe(true)
    expect(timeIn(ids.nextId(1_763_712_000_000))).toBe(1_763_712_000_000)
  })

  it('of two processes do not collide', () => {
    const [one, other] = [new GrowingIds(), new GrowingIds()]
    const ids = new Set(
      Array.from({ length: 20_000 }, (_, i) => (i % 2 ? one : other).nextId(1_763_712_000_000)),
    )
    expect(ids.size).toBe(20_000)
  })
})

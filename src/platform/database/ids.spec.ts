import { decodeId, encodeId, lowestIdAt, newId, timeOf } from './ids.js'

describe('ids', () => {
  it('agree with the TypeID specification', () => {
    expect(encodeId('tok', '00000000-0000-0000-0000-000000000000')).toBe('tok_00000000000000000000000000')
    expect(encodeId('tok', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('tok_7zzzzzzzzzzzzzzzzzzzzzzzzz')
    expect(encodeId('tok', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('tok_01h455vb4pex5vsknk084sn02q')
  })

  it('come back as they went out', () => {
    for (let i = 0; i < 1000; i++) {
      const id = newId()
      expect(decodeId('wsp', encodeId('wsp', id))).toBe(id)
    }
  })

  it('grow in the order in which they are made, also within a millisecond', () => {
    const made = Array.from({ length: 5000 }, newId)
    expect([...made].sort()).toEqual(made)
  })

  it('carry the moment they were made', () => {
    const before = Date.now()
    const time = timeOf(newId()).getTime()
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now() + 1)
    expect(timeOf(lowestIdAt(new Date(time))).getTime()).toBe(time)
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
  ])('refuses %j', (text) => {
    expect(decodeId('tok', text)).toBeNull()
  })
})

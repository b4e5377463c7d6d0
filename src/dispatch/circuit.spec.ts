import { probeInterval } from './circuit.js'

describe('the circuit', () => {
  it('is closed until five failures have come in a row', () => {
    expect([0, 1, 2, 3, 4].map(probeInterval)).toEqual([null, null, null, null, null])
  })

  it('tries at intervals that double, up to five minutes', () => {
    expect([5, 6, 7, 8, 9, 10, 11, 12].map(probeInterval)).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000,
    ])
    expect([13, 14, 1_000, 2 ** 31].map(probeInterval)).toEqual([300_000, 300_000, 300_000, 300_000])
  })
})

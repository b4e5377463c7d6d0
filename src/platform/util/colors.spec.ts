import { accentFor, defaultAccent, getContrast, parseColor } from './colors.js'

describe('parseColor', () => {
  it.each([
    ['#3550c9', '#3550c9'],
    ['#3550C9', '#3550c9'],
    ['#35c', '#3355cc'],
  ])('reads %s', (text, color) => {
    expect(parseColor(text)).toBe(color)
  })

  it.each(['', 'blue', '3550c9', '#3550c', '#3550c9ff', '#35', 'rgb(0 0 0)', '#ggg', '#fff;}'])(
    'rejects %j',
    (text) => {
      expect(parseColor(text)).toBeNull()
    },
  )
})

describe('an accent color', () => {
  const onLight = ['#ffffff', '#fafaf8', '#f3f3f0']
  const onDark = ['#101113', '#17191c', '#1f2226']
  const colors = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#808080', '#e11d48']

  it.each(colors)('is legible in both color schemes: %s', (color) => {
    const { light, dark } = accentFor(color)
    for (const background of onLight) expect(getContrast(light, background)).toBeGreaterThanOrEqual(4.5)
    for (const background of onDark) expect(getContrast(dark, background)).toBeGreaterThanOrEqual(4.5)
    // The text of buttons.
    expect(getContrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(getContrast(dark, '#10131f')).toBeGreaterThanOrEqual(4.5)
  })

  it('is unchanged where it is legible', () => {
    expect(accentFor('#0b5d3b').light).toBe('#0b5d3b')
    expect(accentFor('#7fe0b0').dark).toBe('#7fe0b0')
  })

  it('is legible by default', () => {
    for (const background of onLight)
      expect(getContrast(defaultAccent.light, background)).toBeGreaterThanOrEqual(4.5)
    for (const background of onDark)
      expect(getContrast(defaultAccent.dark, background)).toBeGreaterThanOrEqual(4.5)
  })
})

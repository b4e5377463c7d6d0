import { campaignOf } from './campaign.js'

const target = 'https://example.com/?utm_source=mail&utm_medium=email#utm_term=no'

it.each([
  ['', { utmSource: 'mail', utmMedium: 'email', utmTerm: null }],
  ['utm_source=news', { utmSource: 'news', utmMedium: 'email' }],
  ['utm_source=&utm_campaign=a%20b+c', { utmSource: 'mail', utmCampaign: 'a b c' }],
  ['utm_source=one&utm_source=two', { utmSource: 'one' }],
  ['utm_content=%E2%9C%93&utm_term=%00%0a', { utmContent: '✓', utmTerm: null }],
  ['utm_content=%FF%zz', { utmContent: '\ufffd%zz' }],
  ['xutm_source=a&UTM_SOURCE=b', { utmSource: 'mail' }],
])('of a visit with %j', (query, expected) => {
  expect(campaignOf(query, target)).toMatchObject(expected)
})

it('is cut where it is too long, and never within a character', () => {
  const { utmSource } = campaignOf(`utm_source=${encodeURIComponent('🌱'.repeat(300))}`, '')
  expect(utmSource).toBe('🌱'.repeat(100))
})

/** What `q` finds with letters that the index of words knows, and without them. */
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink } from '../../support/factories/links.js'
import type { LinkAnswer } from '../../support/factories/links.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

describe('a search', () => {
  beforeAll(async () => {
    await makeLink(service, { slug: 'qz-first', url: 'https://one.example/xy', title: 'Straße' })
    await makeLink(service, { slug: 'aqzb', url: 'https://two.example/ab-c(d)', title: '東京 50%' })
  })

  it.each([
    ['three letters wherever they stand', 'qzb', ['aqzb']],
    ['two letters wherever they stand', 'ZB', ['aqzb']],
    ['one letter wherever it stands', 'Y', ['qz-first']],
    ['two letters behind a sign', '/x', ['qz-first']],
    ['letters with signs between them, which are no pattern', 'c(d)', ['aqzb']],
    ['a number of two digits', '50%', ['aqzb']],
    ['other scripts by two letters', '東京', ['aqzb']],
    ['signs alone', '(', ['aqzb']],
  ])('finds %s', async (_, q, slugs) => {
    for (const sort of ['created_at', '-created_at', '-clicks']) {
      const { status, body } = await service.call('GET', `/v1/links?sort=${sort}&q=${encodeURIComponent(q)}`)
      expect(status).toBe(200)
      expect(body.data.map(({ slug }: LinkAnswer) => slug)).toEqual(slugs)
    }
  })
})

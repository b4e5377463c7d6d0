/** The search by `q`, with and without the search index. */
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'

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
    ['three letters at any position', 'qzb', ['aqzb']],
    ['two letters at any position', 'ZB', ['aqzb']],
    ['one letter at any position', 'Y', ['qz-first']],
    ['a punctuation mark and a letter', '/x', ['qz-first']],
    ['letters and punctuation marks, which are not a pattern', 'c(d)', ['aqzb']],
    ['a number with two digits', '50%', ['aqzb']],
    ['two characters of another script', '東京', ['aqzb']],
    ['a punctuation mark', '(', ['aqzb']],
  ])('finds %s', async (_, q, slugs) => {
    for (const sort of ['created_at', '-created_at', '-clicks']) {
      const { status, body } = await service.call('GET', `/v1/links?sort=${sort}&q=${encodeURIComponent(q)}`)
      expect(status).toBe(200)
      expect(body.data.map(({ slug }: LinkResponse) => slug)).toEqual(slugs)
    }
  })
})

import { shortJson } from './mcp-server.js'

it('omits fields that are null', () => {
  expect(shortJson({ title: null, tags: [], clicks: { total: 0, human: null } })).toBe(
    '{"tags":[],"clicks":{"total":0}}',
  )
})

it('cuts off long results, and says so', () => {
  const text = shortJson({ data: 'x'.repeat(30_000) })
  expect(text.length).toBeLessThan(20_200)
  expect(text).toMatch(/\n… 10011 more characters\. Request fewer items, or filter them\.$/)
})

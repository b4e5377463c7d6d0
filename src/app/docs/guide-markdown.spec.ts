import { renderMarkdown } from './guide-markdown.js'

const render = (text: string) =>
  renderMarkdown(text, (link) => (link === 'gone.md' ? null : `/guide/${link}`))

it('shows raw HTML as text', () => {
  const html = render('A <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>')
  expect(html).not.toMatch(/<script|<img/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

it('leaves out pictures that depend on the color scheme', () => {
  expect(
    render('<picture>\n  <source srcset="a.png">\n  <img src="b.png" alt="c">\n</picture>\n\nText'),
  ).toBe('<p>Text</p>\n')
})

it('leaves out comments', () => {
  expect(render('<!-- a note -->\n\nText')).toBe('<p>Text</p>\n')
})

it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', '//other.example'])(
  'removes the link to %s',
  (link) => {
    expect(render(`[text](<${link}>)`)).toBe('<p>text</p>\n')
    expect(render(`![text](<${link}>)`)).toBe('<p>text</p>\n')
  },
)

it('keeps links to the web and to headings', () => {
  expect(render('[a](https://example.com/?a=1&b=2)')).toContain('href="https://example.com/?a=1&amp;b=2"')
  expect(render('[a](#b)')).toContain('href="#b"')
})

it('resolves links to files, and removes those that cannot be resolved', () => {
  expect(render('[a](b.md#c)')).toContain('href="/guide/b.md#c"')
  expect(render('[a](gone.md)')).toBe('<p>a</p>\n')
})

it('gives headings the IDs that they have on GitHub', () => {
  const ids = [
    ...render('# Use `a_b`\n## From 0.1.0\n## From 0.1.0\n## *What* & why?').matchAll(/id="([^"]+)"/g),
  ]
  expect(ids.map(([, id]) => id)).toEqual(['use-a_b', 'from-010', 'from-010-1', 'what--why'])
})

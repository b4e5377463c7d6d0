/** The first steps in a workspace without links, on the page or from a terminal. */
import { snippetOf } from '../../app/snippets.js'
import { A, CopyButton, Section } from '../../components/basics.js'

const first = { method: 'POST', path: '/v1/links', call: 'links.create' } as const

export function FirstSteps() {
  const { curl } = snippetOf({ ...first, body: { url: 'https://example.com/a/long/address' } })
  return (
    <Section title="First steps">
      <ol class="steps">
        <li>
          <h3>Shorten an address</h3>
          <p class="muted">
            In the box above, or from a terminal, with a token of{' '}
            <A to="/settings/tokens?new=1">API tokens</A> in <code>LINK_SERVICE_TOKEN</code>. Bring the links
            of another service with <A to="/links?new=many">an import</A>.
          </p>
          <div class="command">
            <pre tabIndex={0}>{curl}</pre>
            <CopyButton small text={curl} label="Copy as curl" />
          </div>
        </li>
        <li>
          <h3>Open the short address</h3>
          <p class="muted">
            Its page shows the click as it comes, under “Live”, and the clicks of each day here.
          </p>
        </li>
        <li>
          <h3>Tell your program</h3>
          <p class="muted">
            <A to="/webhooks?new=1">A webhook</A> hears of every link and click, and shows why where it does
            not.
          </p>
        </li>
      </ol>
    </Section>
  )
}

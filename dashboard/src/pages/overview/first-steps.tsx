/** The first steps in a workspace without links. */
import { snippetOf } from '../../app/snippets.js'
import { A, CopyButton, Section } from '../../components/basics.js'

const createLink = { method: 'POST', path: '/v1/links', call: 'links.create' } as const

export function FirstSteps() {
  const { curl } = snippetOf({ ...createLink, body: { url: 'https://example.com/a/long/url' } })
  return (
    <Section title="First steps">
      <ol class="steps">
        <li>
          <h3>Create a short link</h3>
          <p class="muted">
            Use the field above, or run this command with an <A to="/settings/tokens?new=1">API token</A> in{' '}
            <code>LINK_SERVICE_TOKEN</code>. You can also <A to="/links?new=many">import links</A> from
            another service.
          </p>
          <div class="command">
            <pre tabIndex={0}>{curl}</pre>
            <CopyButton small text={curl} label="Copy as curl" />
          </div>
        </li>
        <li>
          <h3>Open the short link</h3>
          <p class="muted">The Live tab of the link shows the click within a second.</p>
        </li>
        <li>
          <h3>Receive events</h3>
          <p class="muted">
            <A to="/webhooks?new=1">Create a webhook</A> to be notified of every link and click.
          </p>
        </li>
      </ol>
    </Section>
  )
}

/** The page at /docs: an introduction, and the elements that Swagger UI needs. */

import { conventions } from '../api-description.js'
import { escapeHtml, htmlWithCode } from '../../platform/util/plain-text.js'
import { publicCommandText } from '../../platform/util/program.js'

interface PageFiles {
  swaggerStyle: string
  swagger: string
  icon: string
  style: string
  theme: string
  script: string
}

const receiver = `import { createHmac, timingSafeEqual } from 'node:crypto'

function isGenuine(headers, rawBody, secret) {
  const at = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - at) > 300) return false
  const key = Buffer.from(secret.slice(6), 'base64') // after whsec_
  const signed = \`\${headers['webhook-id']}.\${at}.\${rawBody}\`
  const expected = createHmac('sha256', key).update(signed).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const bytes = Buffer.from(signature.slice(3), 'base64') // after v1,
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}`

interface PageValues {
  /** URL of the API. */
  api: string
  version: string
  hasDashboard: boolean
}

export function docsPage(files: PageFiles, { api, version, hasDashboard }: PageValues): string {
  const firstLink = `curl ${api}/v1/links \\
  -H "Authorization: Bearer $LINK_SERVICE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/spring"}'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference - Link Service</title>
<script src="${files.theme}"></script>
<link rel="stylesheet" href="${files.swaggerStyle}">
<link rel="stylesheet" href="${files.style}">
<link rel="icon" href="${files.icon}">
</head>
<body>
<header class="top">
<nav aria-label="Link Service">
<p class="name">Link Service <small>${version}</small></p>
<a href="/docs" aria-current="page">API reference</a>
<a href="/docs/guide/">Guide</a>
${hasDashboard ? '<a href="/dashboard">Dashboard</a>' : ''}
</nav>
</header>
<section class="intro" aria-labelledby="title">
<h1 id="title">API reference</h1>
<p class="lead">Short links, click counts, scoped tokens and signed webhooks, over JSON. You can try every operation on this
page, or download the OpenAPI document as <a href="/openapi.json">JSON</a> or <a href="/openapi.yaml">YAML</a>.
All requests are also available as a <a href="/openapi/postman.json">Postman collection</a> and an
<a href="/openapi/requests.http">.http file</a> (<a href="/docs/guide/how-to/api-tools.html">how to use them</a>).
For language models, <a href="/llms.txt">llms.txt</a> lists the guides as Markdown.</p>
<div class="steps">
<section>
<h2>1. Get a token</h2>
<p>The service prints a token when it starts for the first time. Create more tokens on the command line, or
<a href="#/Tokens/createToken">with the API</a>.</p>
<pre tabindex="0">${escapeHtml(publicCommandText('token create --name me'))}</pre>
<p>To try requests on this page, click <b>Authorize</b> below and paste the token. For the commands, run
<code>export LINK_SERVICE_TOKEN=lsk_live_…</code> first.</p>
</section>
<section>
<h2>2. Create a link</h2>
<pre tabindex="0">${escapeHtml(firstLink)}</pre>
<p>The response contains the <code>short_url</code>. <a href="#/Links/createLink">See all fields of a link</a></p>
</section>
<section>
<h2>3. Verify webhook requests</h2>
<p>Requests are signed according to <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>, which
offers libraries for many languages. In Node.js without a library, for a secret that starts with <code>whsec_</code>:</p>
<pre tabindex="0">${escapeHtml(receiver)}</pre>
<p>Respond with any 2xx status. Detect duplicates by <code>webhook-id</code>. <a href="#/Webhooks/createWebhook">Create a webhook</a></p>
</section>
<section>
<h2>Conventions</h2>
<ul>
${conventions.map((rule) => `<li>${htmlWithCode(rule)}</li>`).join('\n')}
</ul>
</section>
</div>
</section>
<div id="docs"></div>
<script src="${files.swagger}"></script>
<script src="${files.script}"></script>
</body>
</html>
`
}

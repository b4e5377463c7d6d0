/** The first screen of /docs: what this is, how to get a token, and how to check what a webhook is sent. */

interface Files {
  swaggerStyle: string
  swagger: string
  icon: string
  style: string
  start: string
}

const receiver = `import { createHmac, timingSafeEqual } from 'node:crypto'

function isGenuine(headers, rawBody, secret) {
  const at = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - at) > 300) return false
  const key = Buffer.from(secret.slice(6), 'base64') // after whsec_
  const signed = \`\${headers['webhook-id']}.\${at}.\${rawBody}\`
  const right = createHmac('sha256', key).update(signed).digest()
  return headers['webhook-signature'].split(' ').some((given) => {
    const bytes = Buffer.from(given.slice(3), 'base64') // after v1,
    return bytes.length === right.length && timingSafeEqual(bytes, right)
  })
}`

export function docsPage(files: Files, { api, version }: { api: string; version: string }): string {
  const firstLink = `curl ${api}/v1/links \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/spring"}'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Link Service API</title>
<link rel="stylesheet" href="${files.swaggerStyle}">
<link rel="stylesheet" href="${files.style}">
<link rel="icon" href="${files.icon}">
</head>
<body>
<header class="first">
<p class="name">Link Service <small>${version}</small></p>
<h1>Short links, click counts and signed webhooks, over JSON.</h1>
<p class="lead">A link shortener that you run yourself. Everything below can be tried on this page; the document is here as
<a href="/openapi.json">JSON</a> and <a href="/openapi.yaml">YAML</a>.</p>
<div class="steps">
<section>
<h2>1. Get a token</h2>
<p>The first start of the service prints one, from <code>lsk_</code> to its last character. Later ones come from the command
line, or from <a href="#/Tokens/createToken">a token that you have</a>.</p>
<pre tabindex="0">node dist/main.js token create --name me</pre>
<p>Press <b>Authorize</b> below and paste it.</p>
</section>
<section>
<h2>2. Make a link</h2>
<pre tabindex="0">${escapeHtml(firstLink)}</pre>
<p>The answer has its <code>short_url</code>. <a href="#/Links/createLink">All that a link can have</a></p>
</section>
<section>
<h2>3. Check what a webhook is sent</h2>
<p>Each request is signed as <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a> has it, for
which there are libraries. In Node.js, without one, for a secret that begins with <code>whsec_</code>:</p>
<pre tabindex="0">${escapeHtml(receiver)}</pre>
<p>Answer any 2xx, and tell repetitions by <code>webhook-id</code>. <a href="#/Webhooks/createWebhook">Make a webhook</a></p>
</section>
</div>
</header>
<main id="docs"></main>
<script src="${files.swagger}"></script>
<script src="${files.start}"></script>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

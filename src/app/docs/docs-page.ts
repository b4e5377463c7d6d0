/** The introduction on /docs: how to get a token, create a link and verify webhook requests. */

import { escapeHtml } from '../../platform/util/escape-html.js'
import { publicCommandText } from '../../platform/util/program.js'

interface PageFiles {
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
  const expected = createHmac('sha256', key).update(signed).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const bytes = Buffer.from(signature.slice(3), 'base64') // after v1,
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}`

export function docsPage(files: PageFiles, { api, version }: { api: string; version: string }): string {
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
<p class="lead">A self-hosted link shortener. You can try every operation on this page, or download the OpenAPI document as
<a href="/openapi.json">JSON</a> or <a href="/openapi.yaml">YAML</a>.</p>
<div class="steps">
<section>
<h2>1. Get a token</h2>
<p>The service prints a token when it starts for the first time. Create more tokens on the command line, or
<a href="#/Tokens/createToken">with the API</a>.</p>
<pre tabindex="0">${escapeHtml(publicCommandText('token create --name me'))}</pre>
<p>Click <b>Authorize</b> below and paste the token.</p>
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
</div>
</header>
<main id="docs"></main>
<script src="${files.swagger}"></script>
<script src="${files.start}"></script>
</body>
</html>
`
}

/** The stylesheet of /docs: the introduction, and fixes to Swagger UI for small and dark screens. */
export const style = `
:root{color-scheme:light dark;--ink:#1b2230;--soft:#566072;--line:#dfe3ea;--paper:#fff;--code:#f3f5f8;--accent:#0b5fd0}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#a3adbd;--line:#333b49;--paper:#14181f;--code:#1e2530;--accent:#7db2ff}}
*{box-sizing:border-box}
html,html.dark-mode,body{background:var(--paper)}
body{margin:0;color:var(--ink);font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
.first{max-width:1460px;margin:0 auto;padding:2.5rem 20px 1rem}
.first .name{margin:0;font-weight:600;color:var(--accent)}
.first .name small{margin-left:.4em;font-weight:400;color:var(--soft)}
.first h1{max-width:24ch;margin:.3rem 0 .6rem;font-size:clamp(1.6rem,4.5vw,2.5rem);line-height:1.15;letter-spacing:-.02em}
.first .lead{max-width:62ch;margin:0 0 1.75rem;color:var(--soft)}
.first a{color:var(--accent)}
.steps{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem}
.steps section{padding:1.1rem 1.25rem;border:1px solid var(--line);border-radius:10px}
.steps h2{margin:0 0 .5rem;font-size:1.05rem}
.steps p{margin:.5rem 0;color:var(--soft)}
.steps pre{margin:.6rem 0;padding:.8rem 1rem;border-radius:7px;background:var(--code);overflow-x:auto;font:13px/1.5 ui-monospace,monospace}
.first code{padding:.1em .3em;border-radius:4px;background:var(--code);font:.88em ui-monospace,monospace}
.steps section:nth-child(3){grid-column:2;grid-row:1/span 2}
.swagger-ui .info{margin:1.5rem 0}
.swagger-ui .info hgroup,.swagger-ui .info .link{display:none}
.swagger-ui .response-col_links,.swagger-ui .view-line-link,.swagger-ui .copy-to-clipboard.view-line-link{display:none}
html body .swagger-ui .headers td p{font:14px/1.5 system-ui,sans-serif}
.swagger-ui .headers-wrapper td,.swagger-ui .headers td{font-weight:400}
html.dark-mode .swagger-ui{background:none}
html body .swagger-ui :is(.headers td,.headers td.header-col,.examples__title,.examples-select__section-label,.servers-title,.servers>label,.parameter__name,.markdown p){color:var(--ink)}
.swagger-ui .scheme-container{padding:1rem 0;box-shadow:none;border-block:1px solid var(--line);background:none}
.swagger-ui .fold-errors{margin:0 20px 20px;padding:.4rem .8rem;border:1px solid currentcolor;border-radius:5px;background:none;color:inherit;font:inherit;font-size:14px;cursor:pointer}
.swagger-ui,.swagger-ui .info p{color:var(--ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:900px){.steps{grid-template-columns:minmax(0,1fr)}.steps section:nth-child(3){grid-column:auto;grid-row:auto}}
@media (max-width:640px){
.steps pre{padding:.7rem .6rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:11px}
.swagger-ui .opblock-summary .view-line-link,.swagger-ui .opblock-summary .copy-to-clipboard{display:none}
.first{padding-top:1.5rem}
.swagger-ui .wrapper{padding:0 12px}
.swagger-ui .opblock .opblock-summary{flex-wrap:wrap}
.swagger-ui .opblock .opblock-summary-path{max-width:100%;flex:1 1 60%}
.swagger-ui .opblock-summary-description{flex:1 1 100%;text-align:left;padding:.2rem 0}
.swagger-ui .opblock-tag{flex-wrap:wrap;font-size:20px}
.swagger-ui .opblock-tag small{flex:1 1 100%;padding:0}
.swagger-ui table.parameters,.swagger-ui table.parameters tbody,.swagger-ui table.parameters tr,.swagger-ui table.parameters td,
.swagger-ui table.responses-table,.swagger-ui table.responses-table tbody,.swagger-ui table.responses-table tr,.swagger-ui table.responses-table td{display:block;width:100%;max-width:100%}
.swagger-ui table.parameters thead,.swagger-ui table.responses-table thead{display:none}
.swagger-ui .parameters-col_description input,.swagger-ui .parameters-col_description select,.swagger-ui .parameters-col_description textarea{width:100%;max-width:100%}
.swagger-ui .scheme-container .schemes{flex-direction:column;align-items:stretch;gap:1rem}
.swagger-ui .servers>label{margin-right:0}
.swagger-ui .schemes-server-container,.swagger-ui .schemes-server-container div,.swagger-ui .servers>label{min-width:0;width:100%;max-width:100%}
.swagger-ui select,.swagger-ui .servers>label select{width:100%;max-width:100%;min-width:0}
.swagger-ui .execute-wrapper,.swagger-ui .btn-group{padding:12px}
.swagger-ui .opblock-section-header{flex-wrap:wrap;gap:.5rem}
.swagger-ui .dialog-ux .modal-ux{min-width:0;width:calc(100vw - 24px)}
}
`

/** Starts Swagger UI in the browser, with the system's color scheme. A button shows the error responses. */
export const startScript = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyColorScheme)
applyColorScheme()

const isError = (_response, status) => Number(status) >= 400
const foldErrors = () => ({
  wrapComponents: {
    responses: (Responses, { React }) => function FoldedResponses(properties) {
      const [isOpen, setOpen] = React.useState(false)
      const all = properties.responses
      const errors = all.filter(isError).keySeq().toArray()
      const fold = React.createElement(
        'button',
        { type: 'button', className: 'fold-errors', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
        (isOpen ? 'Hide errors' : 'Show errors') + ' (' + errors.join(', ') + ')',
      )
      return React.createElement(
        'div',
        null,
        React.createElement(Responses, { ...properties, responses: isOpen ? all : all.filterNot(isError) }),
        errors.length > 0 ? fold : null,
      )
    },
  },
})

window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  plugins: [foldErrors],
  validatorUrl: null,
})
`

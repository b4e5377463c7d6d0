import { createHash } from 'node:crypto'

import { Controller, Get, Header, Inject, Param } from '@nestjs/common'
import { ApiExcludeController } from '@nestjs/swagger'

import { Public } from '../../auth/access.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { exampleProblem } from '../../platform/http/openapi/openapi-problems.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { fieldErrors } from '../../field-errors.js'
import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'
import { escapeHtml, htmlWithCode } from '../../platform/util/plain-text.js'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#1c2330;background:#fff}
code,pre{font:14px/1.45 ui-monospace,monospace;background:#f2f4f7;border-radius:4px}code{padding:.1em .3em}pre{padding:1rem;overflow:auto}
h1{font-size:1.5rem}h2{font-size:1rem;margin-top:2rem}small{color:#5b6472}
@media(prefers-color-scheme:dark){body{color:#e3e7ee;background:#14181f}code,pre{background:#222833}small{color:#9aa4b3}}`
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** The error pages, which the `type` field of error responses links to. */
@ApiExcludeController()
@Controller('errors')
export class ErrorsController {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  @Get(':code')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', policy)
  show(@Param('code') code: string): string {
    if (!isProblemCode(code)) throw notFound('error', 'code')
    return this.page(code)
  }

  private page(code: ProblemCode): string {
    const { status, title, cause, remedy } = problems[code]
    const example = JSON.stringify(
      exampleProblem(code).toBody(this.settings.publicUrl, 'ID of the request'),
      null,
      2,
    )
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} (${code})</title><style>${style}</style></head>
<body><small>${status} <code>${code}</code></small><h1>${escapeHtml(title)}</h1>
<h2>Why it happens</h2><p>${htmlWithCode(cause)}</p>
<h2>What to do</h2><p>${htmlWithCode(remedy)}</p>
<h2>Example</h2><pre>${escapeHtml(example)}</pre>
${renderFieldCodes(code)}</body></html>
`
  }
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

/** Lists the field error codes, for errors that have `errors`. */
function renderFieldCodes(code: ProblemCode): string {
  if (!problems[code].errors) return ''
  const rows = Object.entries(fieldErrors).map(
    ([each, meaning]) => `<dt><code>${each}</code></dt><dd>${htmlWithCode(meaning)}</dd>`,
  )
  return `<h2>Codes in <code>errors</code></h2><dl>${rows.join('\n')}</dl>\n`
}

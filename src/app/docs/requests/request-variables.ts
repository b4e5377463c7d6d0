/** The values that one request saves for others, in collections of requests. */
import type { SampleRequest } from '../samples/sample-request.js'

/** Variables by the prefix of the IDs that they replace in examples. */
const idVariables: Readonly<Record<string, string>> = {
  lnk: 'link_id',
  tok: 'token_id',
  wh: 'webhook_id',
  evt: 'event_id',
  dlv: 'delivery_id',
  clk: 'click_id',
  imp: 'import_id',
  ntt: 'notice_target_id',
  lsk: 'rotated_token',
}

/** Variables by the name of the parameters that they replace. */
const parameterVariables: Readonly<Record<string, string>> = { slug: 'slug' }

/** Variables and the members of responses that set them, by operation. */
export const savedVariables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createLink: { link_id: 'id', slug: 'slug' },
  createToken: { token_id: 'id' },
  rotateToken: { rotated_token: 'token' },
  createWebhook: { webhook_id: 'id' },
  listLinkClicks: { click_id: 'data[0].id' },
  listEvents: { event_id: 'data[0].id' },
  // The newest delivery may be a test, which cannot be redelivered.
  listDeliveries: { delivery_id: 'data.at(-1).id' },
  createImport: { import_id: 'id' },
  createNoticeTarget: { notice_target_id: 'id' },
}

/** Returns the variable with the token of a request. `revokeOwnToken` uses a token that another request creates. */
export function tokenVariable({ operationId, needsToken }: SampleRequest): string | null {
  if (!needsToken) return null
  return operationId === 'revokeOwnToken' ? idVariables['lsk']! : 'token'
}

/** Replaces examples by variables, and collects the variables with the examples as their values. */
export class VariableCollector {
  readonly values = new Map<string, string>()

  /** Returns a reference to a variable. */
  use(name: string, value: string): string {
    if (!this.values.has(name)) this.values.set(name, value)
    return `{{${name}}}`
  }

  replaceParameter(name: string, example: string): string {
    const variable = parameterVariables[name]
    return variable ? this.use(variable, example) : this.replaceId(example)
  }

  /** Returns the JSON text of a body. */
  replaceInBody({ operationId, body }: SampleRequest): string {
    return JSON.stringify(
      body,
      (name, value: unknown) => {
        if (typeof value !== 'string') return value
        return operationId === 'createWebhook' && name === 'url'
          ? this.use('webhook_url', value)
          : this.replaceId(value)
      },
      2,
    )
  }

  private replaceId(example: string): string {
    const prefix = /^([a-z]+)_/.exec(example)?.[1]
    const variable = prefix === undefined ? undefined : idVariables[prefix]
    return variable ? this.use(variable, example) : example
  }
}

import { Analytics } from './resources/analytics.js'
import { AuditLog } from './resources/audit-log.js'
import { Clicks } from './resources/clicks.js'
import { Events } from './resources/events.js'
import { Imports } from './resources/imports.js'
import { Instance } from './resources/instance.js'
import { Links } from './resources/links.js'
import { Tags } from './resources/tags.js'
import { Tokens } from './resources/tokens.js'
import { Webhooks } from './resources/webhooks.js'
import { Transport } from './transport.js'
import type { ClientOptions } from './transport.js'

/** All calls of the API, by what they are about. */
export class LinkService {
  readonly baseUrl: string
  readonly links: Links
  readonly clicks: Clicks
  readonly analytics: Analytics
  readonly events: Events
  readonly imports: Imports
  readonly tags: Tags
  readonly webhooks: Webhooks
  readonly tokens: Tokens
  readonly auditLog: AuditLog
  readonly instance: Instance

  constructor(options: ClientOptions = {}) {
    const api = new Transport(options)
    this.baseUrl = api.baseUrl
    this.links = new Links(api)
    this.clicks = new Clicks(api)
    this.analytics = new Analytics(api)
    this.events = new Events(api)
    this.imports = new Imports(api)
    this.tags = new Tags(api)
    this.webhooks = new Webhooks(api)
    this.tokens = new Tokens(api)
    this.auditLog = new AuditLog(api)
    this.instance = new Instance(api)
  }
}

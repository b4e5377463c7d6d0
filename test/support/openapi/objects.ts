/** Objects and tokens for generated requests, in the caller's workspace and in another one. */
import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { encodeId, newId } from '../../../src/platform/database/ids.js'
import type { IdPrefix } from '../../../src/platform/database/ids.js'
import { makeDelivery, makeEvent, makeWebhook } from '../factories/deliveries.js'
import { makeClick } from '../factories/clicks.js'
import { upload } from '../factories/imports.js'
import { makeLink } from '../factories/links.js'
import type { Service } from '../service.js'
import type { Operation } from './document.js'
import type { TokenKind } from './requests.js'

/** Kinds of path parameters: objects by ID, slugs and external IDs. */
type Kind = IdPrefix | 'slug' | 'external_id'
type Ids = Partial<Record<Kind, string>>

/** Object kinds by parameter name. For `id`, the kind depends on the path before it. */
const byName: Record<string, Kind> = {
  webhook_id: 'wh',
  link_id: 'lnk',
  token_id: 'tok',
  object_id: 'tok',
  delivery_id: 'dlv',
  slug: 'slug',
  external_id: 'external_id',
}
const byPath: Record<string, IdPrefix> = {
  '/v1/links': 'lnk',
  '/v1/webhooks': 'wh',
  '/v1/clicks': 'clk',
  '/v1/events': 'evt',
  '/v1/imports': 'imp',
  '/v1/workspace/notices': 'ntt',
  '/v1/auth/token': 'tok',
}

export function getKind({ path }: Operation, parameter: string): Kind {
  const kind = parameter === 'id' ? byPath[path.slice(0, path.indexOf('/{id}'))] : byName[parameter]
  if (!kind) throw new Error(`objects.ts does not know the kind of ${parameter} in ${path}`)
  return kind
}

/** `*` does not include the events of tokens. */
const allEvents = ['*', 'token.created', 'token.revoked', 'token.expiring']

export const unknownId = (kind: Kind): string =>
  kind === 'slug' || kind === 'external_id' ? newId() : encodeId(kind, newId())

export class Objects {
  private constructor(
    private readonly service: Service,
    /** URL of the receiver. */
    private readonly receiver: string,
    private readonly tokens: Record<Exclude<TokenKind, 'none' | 'narrow'>, string>,
    private readonly narrow: Record<string, string>,
  ) {}

  /** Objects that requests read but never change. */
  shared: Ids = {}
  foreign: Ids = {}

  static async make(service: Service, receiver: string): Promise<Objects> {
    await service.app.get(WorkspacesService).create('elsewhere')
    const mint = async (scopes?: string, workspace?: string) => (await service.mint(scopes, workspace)).token
    const revoked = await service.mint()
    await service.call('DELETE', `/v1/auth/token/${revoked.id}`)
    const expired = await service.mint(undefined, undefined, '60s')
    await service.db.query(
      "UPDATE tokens SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE name = 'a test token' AND expires_at IS NOT NULL",
    )
    const tokens = {
      all: await mint(),
      elsewhere: await mint(undefined, 'elsewhere'),
      nonsense: 'lsk_live_nonsense',
      revoked: revoked.token,
      expired: expired.token,
    }
    const narrow = { 'audit:read': await mint('audit:read'), 'links:read': await mint('links:read') }
    const objects = new Objects(service, receiver, tokens, narrow)
    const kinds = ['clk', 'imp', 'lnk', 'slug', 'external_id', 'tok', 'dlv', 'ntt'] as const
    objects.shared = await objects.fresh(kinds)
    objects.foreign = await objects.fresh(kinds, 'elsewhere')
    return objects
  }

  /** Creates objects of these kinds. A delivery includes its webhook and its event. */
  async fresh(kinds: readonly Kind[], workspace = 'default'): Promise<Ids> {
    const ids: Ids = {}
    if (kinds.includes('tok')) ids.tok = (await this.service.mint('links:read', workspace)).id
    const token = workspace === 'default' ? this.tokens.all : this.tokens.elsewhere
    if (kinds.includes('imp')) ids.imp = (await upload(this.service, 'url\n', {}, { token })).body.id
    if (kinds.includes('ntt')) {
      const body = { type: 'slack', address: this.receiver, events: ['webhook.failing'] }
      ids.ntt = (await this.service.call('POST', '/v1/workspace/notices', { token, body })).body.id
    }
    if (kinds.some((kind) => ['clk', 'lnk', 'slug'].includes(kind))) {
      const link = await makeLink(this.service, {}, token)
      Object.assign(ids, { lnk: link.id, slug: link.slug })
      if (kinds.includes('clk')) ids.clk = await makeClick(this.service, link)
    }
    // The request itself creates the link with this external ID.
    if (kinds.includes('external_id')) ids.external_id = newId()
    if (!kinds.some((kind) => ['wh', 'evt', 'dlv'].includes(kind))) return ids

    const webhook = await makeWebhook(this.service, { url: this.receiver, events: allEvents, workspace })
    ids.wh = webhook.id
    if (!kinds.includes('evt') && !kinds.includes('dlv')) return ids
    const event = await makeEvent(this.service, webhook, 'webhook.test', {
      webhook_id: webhook.id,
      message: '',
    })
    const delivery = await makeDelivery(this.service, webhook, {
      eventId: event.uuid,
      type: 'webhook.test',
      status: 'failed',
      attempts: [{ statusCode: 500 }, { errorClass: 'timeout', errorMessage: 'No response.' }],
    })
    return { ...ids, evt: event.id, dlv: delivery.id }
  }

  /** Returns the token for a request. A request that revokes its own token gets a new one. */
  async tokenFor(kind: TokenKind, { method, path, ...operation }: Operation): Promise<string | null> {
    if (kind === 'none') return null
    if (kind === 'narrow') {
      const isOfLinks = operation['x-required-scope']?.includes('links:read') ?? false
      return this.narrow[isOfLinks ? 'audit:read' : 'links:read']!
    }
    if (kind === 'all' && operation['x-required-scope'] === 'instance:read')
      return (await this.service.mint('instance:read')).token
    if (kind === 'all' && method === 'DELETE' && path.endsWith('/self'))
      return (await this.service.mint()).token
    return this.tokens[kind]
  }
}

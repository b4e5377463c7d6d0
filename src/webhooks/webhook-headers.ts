/** Custom headers of webhooks. Their values are stored sealed, and opened only to send them or to merge a change. */
import { Injectable } from '@nestjs/common'

import { getWebhookHeadersContext } from '../platform/database/sealed-columns.js'
import { Sealing } from '../platform/database/sealing.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { parseUrl } from '../platform/util/parse-url.js'
import { findLimitError, mergeHeaders, pointerToHeader } from './custom-headers.js'
import type { CustomHeaders, HeadersPatch } from './custom-headers.js'
import type { Webhook } from './webhook.entity.js'

type HeaderColumns = Pick<Webhook, 'headerNames' | 'sealedHeaders'>
type SealedHeaders = Pick<Webhook, 'id' | 'sealedHeaders'>
export type WebhookWithHeaders = Pick<Webhook, 'id' | 'url' | 'headerNames' | 'sealedHeaders'>

const none: CustomHeaders = new Map()

@Injectable()
export class WebhookHeaders {
  constructor(private readonly sealing: Sealing) {}

  /** Throws if the values were sealed with another ENCRYPTION_KEY. */
  open({ id, sealedHeaders }: SealedHeaders): CustomHeaders {
    if (sealedHeaders === null) return none
    return new Map(
      JSON.parse(this.sealing.open(sealedHeaders, getWebhookHeadersContext(id))) as [string, string][],
    )
  }

  isReadable(webhook: SealedHeaders): boolean {
    return this.tryOpen(webhook) !== null
  }

  /** Returns the columns of a new webhook. */
  create(id: string, patch: HeadersPatch | undefined): HeaderColumns {
    const headers = mergeHeaders(none, patch ?? null)
    refuse(findLimitError(headers))
    return this.seal(id, headers)
  }

  /**
   * Returns the changed columns. A patch of undefined changes nothing. A value is kept only for the origin it was set
   * for: callers who may change the URL must not be able to send a value they cannot read to their own server.
   */
  change(webhook: WebhookWithHeaders, patch: HeadersPatch | undefined, url: string): Partial<HeaderColumns> {
    const kept = keptNames(webhook, patch)
    if (kept.length > 0 && getOrigin(url) !== getOrigin(webhook.url)) refuse(createOriginError(webhook, kept))
    if (patch === undefined) return {}
    const stored = this.tryOpen(webhook)
    if (!stored) refuse(...kept.map(createUnreadableError))
    const merged = mergeHeaders(stored ?? none, patch)
    refuse(findLimitError(merged))
    return stored && isSame(stored, merged) ? {} : this.seal(webhook.id, merged)
  }

  private tryOpen(webhook: SealedHeaders): CustomHeaders | null {
    try {
      return this.open(webhook)
    } catch {
      return null
    }
  }

  private seal(id: string, headers: CustomHeaders): HeaderColumns {
    if (headers.size === 0) return { headerNames: null, sealedHeaders: null }
    return {
      headerNames: [...headers.keys()],
      sealedHeaders: this.sealing.seal(JSON.stringify([...headers]), getWebhookHeadersContext(id)),
    }
  }
}

/** Returns the stored headers whose values a patch neither replaces nor removes. */
function keptNames({ headerNames }: HeaderColumns, patch: HeadersPatch | undefined): string[] {
  if (patch === null) return []
  const patched = new Set(Object.keys(patch ?? {}).map((name) => name.toLowerCase()))
  return (headerNames ?? []).filter((name) => !patched.has(name))
}

function createOriginError({ url }: WebhookWithHeaders, kept: readonly string[]): InputError {
  return {
    pointer: '/headers',
    code: 'other_origin',
    detail: `The values of ${kept.join(', ')} were set for ${getOrigin(url)}, and are not sent to another host. Send new values in the same request, or null to remove the headers.`,
  }
}

function getOrigin(url: string): string {
  return parseUrl(url)!.origin
}

function createUnreadableError(name: string): InputError {
  return {
    pointer: pointerToHeader(name),
    code: 'unreadable_value',
    detail:
      'The stored value was encrypted with another ENCRYPTION_KEY. Send a new value, or null to remove the header.',
  }
}

function refuse(...errors: (InputError | null)[]): void {
  const found = errors.filter((error) => error !== null)
  if (found.length > 0) throw new Problem('validation_failed', { errors: found })
}

function isSame(one: CustomHeaders, other: CustomHeaders): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value)
}

/** The rules for a link's fields. */
import { Inject, Injectable } from '@nestjs/common'

import { type RunningSettings, SETTINGS } from '../settings.js'
import { examine } from '../platform/http/input/input.pipe.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { currentMs } from '../platform/util/clock.js'
import { CreateLink, type UpdateLink } from './link.dto.js'
import { type OwnHosts, faultOfTarget, makeSlug, ownHosts, reservedSlugs } from './addresses.js'

/** Checks the fields of links, also by the rules that depend on the settings. Every call that writes links uses it. */
@Injectable()
export class LinkRules {
  private readonly reserved: ReadonlySet<string>
  private isOwn: OwnHosts | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {
    this.reserved = reservedSlugs(settings.basePath)
  }

  /** Makes a slug that is not an address of the service. Only the database knows whether it is free. */
  makeSlug(): string {
    for (;;) {
      const slug = makeSlug()
      if (!this.reserved.has(slug)) return slug
    }
  }

  /** The input as a link, with its faults. The rules are applied only when each field has the right form. */
  check(given: object): { fields: CreateLink; faults: InputError[] } {
    const { input, errors } = examine(CreateLink, given as Record<string, unknown>)
    const faults = errors.length > 0 ? errors : this.faultsOfNew(input)
    return { fields: input, faults }
  }

  faultsOfNew(fields: CreateLink): InputError[] {
    const faults = this.faultsOf(fields)
    if (fields.slug !== undefined && this.reserved.has(fields.slug))
      faults.push({
        pointer: '/slug',
        code: 'reserved',
        detail: `${fields.slug} is a path of the service itself. Choose another slug.`,
      })
    return faults
  }

  faultsOf({ url, expires_at, expires_in }: CreateLink | UpdateLink): InputError[] {
    const faults: InputError[] = []
    const detail = url === undefined ? null : faultOfTarget(url, this.ownHosts())
    if (detail) faults.push({ pointer: '/url', code: 'invalid_url', detail })
    if (expires_at != null && expires_in != null)
      faults.push({
        pointer: '/expires_in',
        code: 'not_both',
        detail: 'Set expires_at or expires_in, not both.',
      })
    if (expires_at != null && Date.parse(expires_at) <= currentMs())
      faults.push({
        pointer: '/expires_at',
        code: 'in_the_past',
        detail: 'Must be in the future.',
      })
    return faults
  }

  /** Computed at the first call, because with PORT=0 the service's address is known only when it listens. */
  private ownHosts(): OwnHosts {
    const { shortUrlBase, publicUrl, port } = this.settings
    return (this.isOwn ??= ownHosts([shortUrlBase, publicUrl], port))
  }
}

/** External ids are unique in a workspace. The database enforces it. */
export const externalIdTaken: InputError = {
  pointer: '/external_id',
  code: 'taken',
  detail: 'Another link of the workspace has this external_id. Choose another, or change that link.',
}

/** Whether a statement failed because another link has the external id. */
export function isTakenExternalId(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'links_external_id_key'
}

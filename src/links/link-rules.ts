/** What a link may be: the rules of its fields, and those that depend on the settings. Every call asks here. */
import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { examine } from '../platform/http/input/input.pipe.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { CreateLink } from './link.dto.js'
import type { UpdateLink } from './link.dto.js'
import { faultOfTarget, ownHosts } from './target-url.js'
import type { OwnHosts } from './target-url.js'
import { makeSlug, reservedSlugs, shortUrlBaseOf } from './slug.js'

@Injectable()
export class LinkRules {
  private readonly reserved: ReadonlySet<string>
  private isOwn: OwnHosts | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {
    this.reserved = reservedSlugs(settings.basePath)
  }

  /** A slug that is no address of the service. Whether it is free, the database decides. */
  makeSlug(): string {
    for (;;) {
      const slug = makeSlug()
      if (!this.reserved.has(slug)) return slug
    }
  }

  /** What came as a link, and everything that is wrong with it. */
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
        detail: `${fields.slug} is an address of the service itself. Choose another slug.`,
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
        detail: 'Write expires_at or expires_in, not both.',
      })
    if (expires_at != null && Date.parse(expires_at) <= Date.now())
      faults.push({
        pointer: '/expires_at',
        code: 'in_the_past',
        detail: 'Write a time that is still to come.',
      })
    return faults
  }

  /** Asked for at the first call: with PORT=0 the service's address is known only when it listens. */
  private ownHosts(): OwnHosts {
    const { publicUrl, port } = this.settings
    return (this.isOwn ??= ownHosts([shortUrlBaseOf(this.settings), publicUrl], port))
  }
}

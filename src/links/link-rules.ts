import { Inject, Injectable } from '@nestjs/common'

import { type RunningSettings, SETTINGS } from '../settings.js'
import { validateFields } from '../platform/http/input/input.pipe.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { currentMs } from '../platform/util/clock.js'
import { CreateLink, type UpdateLink } from './link.dto.js'
import { type OwnHosts, destinationError, generateSlug, ownHosts, reservedSlugs } from './urls.js'

/** Validates the fields of links, including the rules that depend on settings. */
@Injectable()
export class LinkRules {
  private readonly reserved: ReadonlySet<string>
  private isOwn: OwnHosts | null = null

  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {
    this.reserved = reservedSlugs(settings.basePath)
  }

  /** Generates a slug that is not reserved. The slug may already be taken. */
  generateSlug(): string {
    for (;;) {
      const slug = generateSlug()
      if (!this.reserved.has(slug)) return slug
    }
  }

  /** Converts and validates the fields of a new link. Rules run only if every field has the right type. */
  check(fields: object): { fields: CreateLink; faults: InputError[] } {
    const { input, errors } = validateFields(CreateLink, fields as Record<string, unknown>)
    const faults = errors.length > 0 ? errors : this.findNewLinkFaults(input)
    return { fields: input, faults }
  }

  findNewLinkFaults(fields: CreateLink): InputError[] {
    const faults = this.findLinkFaults(fields)
    if (fields.slug !== undefined && this.reserved.has(fields.slug))
      faults.push({
        pointer: '/slug',
        code: 'reserved',
        detail: `${fields.slug} is a path of the service itself. Choose another slug.`,
      })
    return faults
  }

  findLinkFaults({ url, expires_at, expires_in }: CreateLink | UpdateLink): InputError[] {
    const faults: InputError[] = []
    const detail = url === undefined ? null : destinationError(url, this.ownHosts())
    if (detail) faults.push({ pointer: '/url', code: 'invalid_url', detail })
    if (expires_at != null && expires_in != null)
      faults.push({
        pointer: '/expires_in',
        code: 'mutually_exclusive',
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

  /** Computed on first use, because with PORT=0 the port is known only once the service listens. */
  private ownHosts(): OwnHosts {
    const { shortUrlBase, publicUrl, port } = this.settings
    return (this.isOwn ??= ownHosts([shortUrlBase, publicUrl], port))
  }
}

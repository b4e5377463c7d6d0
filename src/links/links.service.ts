/** Creates, updates and deletes single links. */
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import { auditRefusal } from '../auth/access.js'
import type { Caller } from '../auth/caller.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { decodeId } from '../platform/database/ids.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { isPlainText } from '../platform/http/input/fields.js'
import { throwIfInvalid } from '../platform/http/input/input.pipe.js'
import { notFound, Problem } from '../platform/http/problems/problem.js'
import type { InputError } from '../platform/http/problems/problem.js'
import { requireMatch, requireNoMatch } from '../platform/http/resource-headers.js'
import { maxLength } from './link-fields.js'
import { CreateLink, LinkDto } from './link.dto.js'
import type { UpdateLink } from './link.dto.js'
import type { LinkRow } from './link.entity.js'
import { LinkRules } from './link-rules.js'
import { newRowIds } from './write/decide.js'
import type { RowOutcome } from './write/decide.js'
import { splitIntoParts, LinkWriter, retryLostRaces } from './write/link-writer.js'

@Injectable()
export class LinksService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly rules: LinkRules,
    private readonly writer: LinkWriter,
    private readonly idempotency: Idempotency,
    private readonly audit: AuditService,
  ) {}

  async create(caller: Caller, body: CreateLink): Promise<LinkDto> {
    throwIfInvalid('validation_failed', this.rules.findNewLinkFaults(body))
    const row = { index: 0, fields: body, ids: newRowIds() }
    const create = async (db: EntityManager): Promise<LinkDto> => {
      const outcomes = await this.writer.write(db, caller, splitIntoParts([row]), {
        onConflict: 'fail',
        notify: true,
      })
      return getLinkOrThrow(outcomes.get(0)!)
    }
    return auditRefusal(this.audit, caller, () =>
      caller.keyed ? this.idempotency.runOnce(caller.keyed, create) : create(this.dataSource.manager),
    )
  }

  /** Creates a link with this external ID, or replaces the existing one. */
  async put(
    caller: Caller,
    externalId: string,
    body: CreateLink,
    { ifMatch, ifNoneMatch }: { ifMatch: string | undefined; ifNoneMatch: string | undefined },
  ): Promise<{ isNew: boolean; link: LinkDto }> {
    throwIfInvalid('validation_failed', [
      ...findExternalIdFaults(externalId, body),
      ...this.rules.findNewLinkFaults(body),
    ])
    const fields = Object.assign(new CreateLink(), body, { external_id: externalId })
    const checkExisting = (existing: LinkDto | null): void => {
      requireMatch(ifMatch, existing)
      requireNoMatch(ifNoneMatch, existing)
    }
    const rows = splitIntoParts([{ index: 0, fields, ids: newRowIds() }])
    return auditRefusal(this.audit, caller, async () => {
      const outcomes = await retryLostRaces(() =>
        this.dataSource.transaction((tx) =>
          this.writer.write(tx, caller, rows, { onConflict: 'replace', notify: true, checkExisting }),
        ),
      )
      const outcome = outcomes.get(0)!
      return { isNew: outcome.status === 'created', link: getLinkOrThrow(outcome) }
    })
  }

  async update(caller: Caller, id: string, body: UpdateLink, ifMatch: string | undefined): Promise<LinkDto> {
    throwIfInvalid('validation_failed', this.rules.findLinkFaults(body))
    const patchFor = (row: LinkRow): UpdateLink => {
      requireMatch(ifMatch, this.show(row))
      return body
    }
    return auditRefusal(this.audit, caller, () =>
      this.changeOne(id, (tx, ids) => this.writer.update(tx, caller, ids, patchFor, body.external_id)),
    )
  }

  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    const check = (row: LinkRow): void => requireMatch(ifMatch, this.show(row))
    await this.changeOne(id, (tx, ids) => this.writer.delete(tx, caller, ids, check))
  }

  private async changeOne(
    id: string,
    work: (tx: EntityManager, linkIds: string[]) => Promise<RowOutcome[]>,
  ): Promise<LinkDto> {
    const linkId = decodeId('lnk', id)
    if (!linkId) throw notFound('link')
    const [outcome] = await retryLostRaces(() => this.dataSource.transaction((tx) => work(tx, [linkId])))
    return getLinkOrThrow(outcome!)
  }

  private show(link: LinkRow): LinkDto {
    return LinkDto.from(link, this.settings.shortUrlBase)
  }
}

/** Returns the written link, or throws the error of the row. */
function getLinkOrThrow(outcome: RowOutcome): LinkDto {
  if (outcome.status !== 'failed') return outcome.link
  const { code, errors } = outcome.fault
  if (code === 'not_found') throw notFound('link')
  if (code === 'restricted') throw new Problem('restricted', { errors, more: { restriction: 'tags' } })
  if (code === 'validation_failed') throw new Problem('validation_failed', { errors })
  const [first] = errors
  const field = first && 'pointer' in first ? first.pointer.slice(1) : undefined
  throw new Problem('conflict', { errors, more: { field } })
}

function findExternalIdFaults(externalId: string, body: CreateLink): InputError[] {
  const faults: InputError[] = []
  if (!isPlainText(externalId, 1, maxLength.externalId))
    faults.push({
      parameter: 'external_id',
      code: 'invalid_text',
      detail: `Must be 1 to ${maxLength.externalId} characters, not blank, without control characters.`,
    })
  if (body.external_id !== undefined && body.external_id !== externalId)
    faults.push({
      pointer: '/external_id',
      code: 'mismatch',
      detail: 'Must match the external ID in the URL. Leave it out of the request body.',
    })
  return faults
}

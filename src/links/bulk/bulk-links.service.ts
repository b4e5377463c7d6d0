/** Creates, updates and deletes links in bulk. Validates each link and reports its outcome. */
import { setImmediate } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../../audit/audit.service.js'
import { auditRefusal } from '../../auth/access.js'
import type { Caller } from '../../auth/caller.js'
import { decodeId } from '../../platform/database/ids.js'
import { allowLongerStatements, largeRequestTimeoutMs } from '../../platform/database/pg-client.js'
import { Idempotency } from '../../platform/http/idempotency.js'
import { validateFields, throwIfInvalid } from '../../platform/http/input/input.pipe.js'
import { Problem, summarizeErrors } from '../../platform/http/problems/problem.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { LinkRules } from '../link-rules.js'
import { isJsonObject } from '../../platform/http/input/strict-json.js'
import { BulkReportDto, prefixPointer } from './bulk.dto.js'
import type { BulkCreate, BulkDelete, BulkUpdate } from './bulk.dto.js'
import { newRowIds } from '../write/decide.js'
import type { RowFault, RowOutcome } from '../write/decide.js'
import { LinkWriter, linksPerPart, retryLostRaces } from '../write/link-writer.js'
import type { BatchRow } from '../write/link-writer.js'
import type { LinkKeys } from '../write/existing-links.js'

/** Number of links to validate before yielding to the event loop. A link takes less than 0.1 ms. */
const validatedInARow = 50
const maxErrors = 1000

@Injectable()
export class BulkLinksService {
  constructor(
    private readonly rules: LinkRules,
    private readonly writer: LinkWriter,
    private readonly idempotency: Idempotency,
    private readonly audit: AuditService,
  ) {}

  async create(caller: Caller, { links, on_conflict = 'fail', atomic }: BulkCreate): Promise<BulkReportDto> {
    return this.inTransaction(caller, '/links', atomic, async (tx) => {
      const rejected = new Map<number, RowOutcome>()
      const rows = { keys: getLinkKeys(links), parts: this.validatedParts(links, rejected) }
      const written = await this.writer.write(tx, caller, rows, { onConflict: on_conflict, notify: true })
      return links.map((_, index) => written.get(index) ?? rejected.get(index)!)
    })
  }

  /** Yields links in parts, so that one part is written while the next is validated. */
  private async *validatedParts(
    links: readonly unknown[],
    rejected: Map<number, RowOutcome>,
  ): AsyncGenerator<BatchRow[]> {
    const ids = links.map(() => newRowIds())
    let part: BatchRow[] = []
    for (const [n, index] of lockingOrder(links).entries()) {
      if (n % validatedInARow === validatedInARow - 1) await setImmediate()
      const link = links[index]
      const { fields, faults } = isJsonObject(link) ? this.rules.check(link) : notAnObject
      if (fields && faults.length === 0) part.push({ index, fields, ids: ids[index]! })
      else rejected.set(index, { status: 'failed', fault: validationFault(faults) })
      if (part.length < linksPerPart) continue
      yield part
      part = []
    }
    yield part
  }

  update(caller: Caller, body: BulkUpdate): Promise<BulkReportDto> {
    const { ids, atomic, add_tags, remove_tags } = body
    const patch = this.validatePatch(body)
    const patchFor = ({ tags }: LinkRow): UpdateLink => {
      if (!add_tags && !remove_tags) return patch
      const remaining = (patch.tags === undefined ? tags : (patch.tags ?? [])).filter(
        (tag) => !remove_tags?.includes(tag),
      )
      return Object.assign(new UpdateLink(), patch, { tags: [...remaining, ...(add_tags ?? [])] })
    }
    return this.inTransaction(caller, '/ids', atomic, (tx) =>
      this.writer.update(tx, caller, ids.map(parseLinkId), patchFor, patch.external_id),
    )
  }

  delete(caller: Caller, { ids, atomic }: BulkDelete): Promise<BulkReportDto> {
    return this.inTransaction(caller, '/ids', atomic, (tx) =>
      this.writer.delete(tx, caller, ids.map(parseLinkId)),
    )
  }

  private validatePatch({ patch, add_tags, remove_tags }: BulkUpdate): UpdateLink {
    if (!patch && !add_tags && !remove_tags)
      throwIfInvalid('validation_failed', [
        {
          pointer: '/patch',
          code: 'required',
          detail: 'Set at least one of patch, add_tags, remove_tags.',
        },
      ])
    const { input, errors } = validateFields(UpdateLink, patch ?? {})
    const faults = (errors.length > 0 ? errors : this.rules.findLinkFaults(input)).map((fault) =>
      prefixPointer(fault, '/patch'),
    )
    throwIfInvalid('validation_failed', faults)
    return input
  }

  /** Runs the work once per idempotency key. In an atomic request, one error rolls everything back. */
  private async inTransaction(
    caller: Caller,
    pointer: string,
    atomic: boolean | undefined,
    work: (tx: EntityManager) => Promise<RowOutcome[]>,
  ): Promise<BulkReportDto> {
    const write = () =>
      this.idempotency.runOnce(caller.keyed, async (tx) => {
        await allowLongerStatements(tx, largeRequestTimeoutMs)
        const outcomes = await work(tx)
        if (atomic !== false) throwFaults(outcomes, pointer)
        return BulkReportDto.from(outcomes, pointer)
      })
    return auditRefusal(this.audit, caller, () => retryLostRaces(write))
  }
}

/** Throws one problem with the errors of all rows, if any row failed. */
function throwFaults(outcomes: readonly RowOutcome[], pointer: string): void {
  const errors: InputError[] = []
  const codes = new Set<RowFault['code']>()
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status !== 'failed') continue
    codes.add(outcome.fault.code)
    errors.push(...outcome.fault.errors.map((error) => prefixPointer(error, `${pointer}/${index}`)))
  }
  if (codes.size === 0) return
  if (codes.size === 1 && codes.has('restricted'))
    throw new Problem('restricted', { errors: errors.slice(0, maxErrors), more: { restriction: 'tags' } })
  const isConflict = codes.size === 1 && codes.has('conflict')
  const [first] = errors
  throw new Problem(isConflict ? 'conflict' : 'validation_failed', {
    detail: summarizeErrors(errors)!,
    errors: errors.slice(0, maxErrors),
    ...(isConflict && first && 'pointer' in first
      ? { more: { field: first.pointer.split('/').at(-1) } }
      : {}),
  })
}

function validationFault(errors: InputError[]): RowFault {
  return { code: 'validation_failed', detail: summarizeErrors(errors)!, errors }
}

const notAnObject: { fields: null; faults: InputError[] } = {
  fields: null,
  faults: [{ pointer: '', code: 'not_an_object', detail: 'Must be an object with the fields of a link.' }],
}

/** Returns the slugs and external IDs of links that are not yet validated. */
function getLinkKeys(links: readonly unknown[]): LinkKeys {
  const getFieldValues = (field: string) =>
    links.map((link) => (link as Record<string, unknown> | null)?.[field])
  return {
    slugs: getFieldValues('slug').filter(isKey),
    externalIds: getFieldValues('external_id').filter(isKey),
  }
}

/** Rejects text with NUL characters, which PostgreSQL does not accept. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

/**
 * Returns the indexes of the links in the order in which to write them. Sorts by slug, so that two requests with the
 * same slugs cannot deadlock. Links with external IDs keep their order, because a row can update a link of an earlier
 * row; `lockExternalIds` serializes such requests.
 */
function lockingOrder(links: readonly unknown[]): number[] {
  const indexes = [...links.keys()]
  const keys = getLinkKeys(links)
  if (keys.externalIds.length > 0 || keys.slugs.length === 0) return indexes
  const slugs = links.map((link) => (link as { slug?: unknown } | null)?.slug)
  const slugAt = (index: number) => {
    const slug = slugs[index]
    return isKey(slug) ? slug : ''
  }
  return indexes.sort((a, b) => (slugAt(a) < slugAt(b) ? -1 : Number(slugAt(a) > slugAt(b))))
}

/** Returns null if the value is not the ID of a link. */
function parseLinkId(id: unknown): string | null {
  return typeof id === 'string' ? decodeId('lnk', id) : null
}

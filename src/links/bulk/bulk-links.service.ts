/** Serves the calls with many links: checks their input link by link, and reports the outcome of each. */
import { setImmediate } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { decodeId } from '../../platform/database/ids.js'
import { allowLongerStatements } from '../../platform/database/pg-client.js'
import { Idempotency } from '../../platform/http/idempotency.js'
import { examine, refuseInput } from '../../platform/http/input/input.pipe.js'
import { Problem, summary } from '../../platform/http/problems/problem.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { UpdateLink } from '../link.dto.js'
import type { LinkRow } from '../link.entity.js'
import { LinkRules } from '../link-rules.js'
import { isJsonObject } from '../../platform/http/input/strict-json.js'
import { BulkReportDto, pointedAt } from './bulk.dto.js'
import type { BulkCreate, BulkDelete, BulkUpdate } from './bulk.dto.js'
import { newRowIds } from '../write/decide.js'
import type { RowFault, RowOutcome } from '../write/decide.js'
import { LinkWriter, linksInPart, repeatingLostRaces } from '../write/link-writer.js'
import type { BatchRow } from '../write/link-writer.js'
import type { LinkKeys } from '../write/existing-links.js'

/** After this many links the event loop gets a turn. Checking one takes some hundredths of a millisecond. */
const judgedInARow = 50
const mostErrors = 1000
/** Many links may cause many more events and deliveries. */
const mayTakeMs = 15_000

@Injectable()
export class BulkLinksService {
  constructor(
    private readonly rules: LinkRules,
    private readonly batches: LinkWriter,
    private readonly idempotency: Idempotency,
  ) {}

  async create(caller: Caller, { links, on_conflict = 'fail', atomic }: BulkCreate): Promise<BulkReportDto> {
    return this.inTransaction(caller, '/links', atomic, async (tx) => {
      const refused = new Map<number, RowOutcome>()
      const rows = { keys: keysOf(links), parts: this.judged(links, refused) }
      const written = await this.batches.write(tx, caller, rows, { onConflict: on_conflict, notify: true })
      return links.map((_, index) => written.get(index) ?? refused.get(index)!)
    })
  }

  /** Yields the links in parts, so that one part is written while the next is checked. */
  private async *judged(
    links: readonly unknown[],
    refused: Map<number, RowOutcome>,
  ): AsyncGenerator<BatchRow[]> {
    const ids = links.map(() => newRowIds())
    let part: BatchRow[] = []
    for (const [n, index] of lockingOrder(links).entries()) {
      if (n % judgedInARow === judgedInARow - 1) await setImmediate()
      const link = links[index]
      const { fields, faults } = isJsonObject(link) ? this.rules.check(link) : noObject
      if (fields && faults.length === 0) part.push({ index, fields, ids: ids[index]! })
      else refused.set(index, { status: 'failed', fault: refusal(faults) })
      if (part.length < linksInPart) continue
      yield part
      part = []
    }
    yield part
  }

  update(caller: Caller, body: BulkUpdate): Promise<BulkReportDto> {
    const { ids, atomic, add_tags, remove_tags } = body
    const patch = this.patchOf(body)
    const patchFor = ({ tags }: LinkRow): UpdateLink => {
      if (!add_tags && !remove_tags) return patch
      const kept = (patch.tags === undefined ? tags : (patch.tags ?? [])).filter(
        (tag) => !remove_tags?.includes(tag),
      )
      return Object.assign(new UpdateLink(), patch, { tags: [...kept, ...(add_tags ?? [])] })
    }
    return this.inTransaction(caller, '/ids', atomic, (tx) =>
      this.batches.update(tx, caller, ids.map(linkIdOf), patchFor, patch.external_id),
    )
  }

  delete(caller: Caller, { ids, atomic }: BulkDelete): Promise<BulkReportDto> {
    return this.inTransaction(caller, '/ids', atomic, (tx) =>
      this.batches.delete(tx, caller, ids.map(linkIdOf)),
    )
  }

  private patchOf({ patch, add_tags, remove_tags }: BulkUpdate): UpdateLink {
    if (!patch && !add_tags && !remove_tags)
      refuseInput('validation_failed', [
        {
          pointer: '/patch',
          code: 'required',
          detail: 'Set at least one of patch, add_tags, remove_tags.',
        },
      ])
    const { input, errors } = examine(UpdateLink, patch ?? {})
    const faults = (errors.length > 0 ? errors : this.rules.faultsOf(input)).map((fault) =>
      pointedAt(fault, '/patch'),
    )
    refuseInput('validation_failed', faults)
    return input
  }

  /** Does the work once for an idempotency key. In an atomic call one fault rolls everything back. */
  private async inTransaction(
    caller: Caller,
    pointer: string,
    atomic: boolean | undefined,
    work: (tx: EntityManager) => Promise<RowOutcome[]>,
  ): Promise<BulkReportDto> {
    return repeatingLostRaces(() =>
      this.idempotency.once(caller.keyed, async (tx) => {
        await allowLongerStatements(tx, mayTakeMs)
        const outcomes = await work(tx)
        if (atomic !== false) refuseFaults(outcomes, pointer)
        return BulkReportDto.from(outcomes, pointer)
      }),
    )
  }
}

/** Throws all faults together, each with its pointer into the body. */
function refuseFaults(outcomes: readonly RowOutcome[], pointer: string): void {
  const errors: InputError[] = []
  const codes = new Set<RowFault['code']>()
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status !== 'failed') continue
    codes.add(outcome.fault.code)
    errors.push(...outcome.fault.errors.map((error) => pointedAt(error, `${pointer}/${index}`)))
  }
  if (codes.size === 0) return
  const isConflict = codes.size === 1 && codes.has('conflict')
  const [first] = errors
  throw new Problem(isConflict ? 'conflict' : 'validation_failed', {
    detail: summary(errors)!,
    errors: errors.slice(0, mostErrors),
    ...(isConflict && first && 'pointer' in first
      ? { more: { field: first.pointer.split('/').at(-1) } }
      : {}),
  })
}

function refusal(errors: InputError[]): RowFault {
  return { code: 'validation_failed', detail: summary(errors)!, errors }
}

const noObject: { fields: null; faults: InputError[] } = {
  fields: null,
  faults: [{ pointer: '', code: 'not_an_object', detail: 'Must be an object with the fields of a link.' }],
}

/** The slugs and external ids in the input, before it is checked. */
function keysOf(links: readonly unknown[]): LinkKeys {
  const given = (field: string) => links.map((link) => (link as Record<string, unknown> | null)?.[field])
  return { slugs: given('slug').filter(isKey), externalIds: given('external_id').filter(isKey) }
}

/** PostgreSQL accepts no text with a NUL. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

/**
 * The indexes of the links in the order in which they are written. It is the order of slugs, so that two calls with the
 * same slugs cannot deadlock. Links with external ids keep their order, because a link may change one before it. Their
 * calls cannot deadlock either, because only one of them runs at a time in a workspace.
 */
function lockingOrder(links: readonly unknown[]): number[] {
  const indexes = [...links.keys()]
  const keys = keysOf(links)
  if (keys.externalIds.length > 0 || keys.slugs.length === 0) return indexes
  const slugs = links.map((link) => (link as { slug?: unknown } | null)?.slug)
  const slugAt = (index: number) => {
    const slug = slugs[index]
    return isKey(slug) ? slug : ''
  }
  return indexes.sort((a, b) => (slugAt(a) < slugAt(b) ? -1 : Number(slugAt(a) > slugAt(b))))
}

/** Null when the value is not the id of a link. */
function linkIdOf(id: unknown): string | null {
  return typeof id === 'string' ? decodeId('lnk', id) : null
}

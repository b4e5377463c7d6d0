import { Injectable, Logger, StreamableFile } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { ChangeFeed } from '../platform/database/change-feed.js'
import type { Topic } from '../platform/database/change-feed.js'
import { decodeId, newId, getIdTime } from '../platform/database/ids.js'
import { selectNewest } from '../platform/database/statements.js'
import { ExportSlots } from '../platform/http/export-slots.js'
import { Cursors, createdBounds } from '../platform/http/input/page.js'
import type { Page } from '../platform/http/input/page.js'
import { auditedTypes, AuditEntry } from './audit-entry.entity.js'
import type { AuditAction, AuditDetails, AuditedType } from './audit-entry.entity.js'
import { AuditEntryDto } from './audit.dto.js'
import type { ExportAuditQuery, ListAuditQuery } from './audit.dto.js'
import { auditCsv } from './audit-export.js'
import { findNames } from './audit-names.js'

/** Who performed an action, and from where. `tokenId` is null for the command line and the service itself. */
export interface Actor {
  tokenId: string | null
  workspaceId: string
  address: string | null
  requestId: string | null
}

/** Returns the actor for changes by the command line or the service itself. */
export function withoutToken(workspaceId: string): Actor {
  return { tokenId: null, workspaceId, address: null, requestId: null }
}

interface AuditedObject {
  type: AuditedType
  id: string
}

/** A statement can have 65,535 parameters, and an entry has ten. */
const maxEntriesPerInsert = 1_000
const entriesPerRead = 500

@Injectable()
export class AuditService implements OnModuleDestroy {
  private readonly logger = new Logger(AuditService.name)
  private readonly stopping = new AbortController()

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly cursors: Cursors,
    private readonly exportSlots: ExportSlots,
  ) {}

  /** Inserts an entry in the same transaction as the change, so both are committed or neither is. */
  async record(
    tx: EntityManager,
    actor: Actor,
    action: AuditAction,
    object: AuditedObject,
    details: AuditDetails = {},
  ): Promise<void> {
    await tx.insert(AuditEntry, createAuditEntry(actor, action, object, details))
  }

  /** Inserts entries, and announces the changed objects in the change feed. */
  async recordAndAnnounce(
    tx: EntityManager,
    actor: Actor,
    action: AuditAction,
    type: AuditedType & Topic,
    ids: readonly string[],
    details: AuditDetails = {},
  ): Promise<void> {
    if (ids.length === 0) return
    const entries = ids.map((id) => createAuditEntry(actor, action, { type, id }, details))
    for (let at = 0; at < entries.length; at += maxEntriesPerInsert)
      await tx.insert(AuditEntry, entries.slice(at, at + maxEntriesPerInsert))
    await ChangeFeed.announce(tx, type, ids)
  }

  /** Inserts an entry for an action that changed nothing, such as a rejected request. */
  async recordWithoutTransaction(
    actor: Actor,
    action: AuditAction,
    object: AuditedObject,
    details: AuditDetails,
  ): Promise<void> {
    await this.record(this.dataSource.manager, actor, action, object, details)
  }

  async list(workspaceId: string, query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    const page = await this.cursors.readPage(query, `audit of ${workspaceId}`, {
      read: (before, limit) => this.findEntries(workspaceId, query, before, limit),
      position: ({ id }) => id,
      show: (entry) => entry,
    })
    return page.withData(await this.show(workspaceId, page.data))
  }

  /** Streams all entries that match the filters, as CSV. */
  export(workspaceId: string, query: ExportAuditQuery): StreamableFile {
    const release = this.exportSlots.takeSlot(workspaceId)
    const stream = auditCsv(async (before) => {
      const found = await this.findEntries(workspaceId, query, before, entriesPerRead)
      return { entries: await this.show(workspaceId, found), last: found.at(-1)?.id ?? null }
    }, this.stopping.signal)
    stream.on('close', release)
    stream.on('error', ({ message }) => this.logger.warn(`An export ended early: ${message}`))
    return new StreamableFile(stream, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="audit-log.csv"',
    })
  }

  onModuleDestroy(): void {
    this.stopping.abort()
  }

  private async show(workspaceId: string, entries: AuditEntry[]): Promise<AuditEntryDto[]> {
    const names = await findNames(this.dataSource.manager, workspaceId, entries)
    return entries.map((entry) => AuditEntryDto.from(entry, names))
  }

  private findEntries(
    workspaceId: string,
    query: ExportAuditQuery,
    before: string | null,
    limit: number,
  ): Promise<AuditEntry[]> {
    const { action, token_id, object_id } = query
    // A malformed ID decodes to null, which matches no entry.
    const token = token_id === undefined ? undefined : decodeId('tok', token_id)
    const entries = selectNewest(
      this.dataSource.manager.createQueryBuilder(AuditEntry, 'entry'),
      workspaceId,
      { ...createdBounds(query), before },
      indexedFilter(action, token),
    ).limit(limit)
    if (action !== undefined && token !== undefined)
      entries.andWhere('entry.actorTokenId = :token', { token })
    if (object_id !== undefined)
      entries.andWhere('entry.objectType = :type AND entry.objectId = :object', decodeObjectId(object_id))
    return entries.getMany()
  }
}

/** Returns the filter to use an index for. Of both filters, an action is usually the rarer one. */
function indexedFilter(action: AuditAction | undefined, token: string | null | undefined) {
  if (action !== undefined) return { property: 'action', value: action } as const
  return token === undefined ? undefined : ({ property: 'actorTokenId', value: token } as const)
}

/** Decodes the ID of an object of any type. */
function decodeObjectId(text: string): { type: string | null; object: string | null } {
  for (const [type, prefix] of Object.entries(auditedTypes)) {
    const object = decodeId(prefix, text)
    if (object) return { type, object }
  }
  return { type: null, object: null }
}

function createAuditEntry(
  actor: Actor,
  action: AuditAction,
  object: AuditedObject,
  details: AuditDetails,
): AuditEntry {
  const id = newId()
  return Object.assign(new AuditEntry(), {
    id,
    workspaceId: actor.workspaceId,
    action,
    actorTokenId: actor.tokenId,
    objectType: object.type,
    objectId: object.id,
    address: actor.address,
    requestId: actor.requestId,
    details,
    occurredAt: getIdTime(id),
  })
}

/** A change whose audit entry is written by the same statement. */
export interface AuditedChange {
  action: AuditAction
  object: { type: AuditedType; id: string }
  details: AuditDetails
}

/** Returns a row of the table `audit_log`, for statements that write the entry together with the change. */
export function auditRow(actor: Actor, { action, object, details }: AuditedChange): object {
  const entry = createAuditEntry(actor, action, object, details)
  return {
    id: entry.id,
    workspace_id: entry.workspaceId,
    action: entry.action,
    actor_token_id: entry.actorTokenId,
    object_type: entry.objectType,
    object_id: entry.objectId,
    address: entry.address,
    request_id: entry.requestId,
    details: entry.details,
    occurred_at: entry.occurredAt,
  }
}

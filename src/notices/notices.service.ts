import { isDeepStrictEqual } from 'node:util'

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import { refuseScopes } from '../auth/access.js'
import type { Caller } from '../auth/caller.js'
import type { Scope } from '../auth/scopes.js'
import { receivingScopes } from '../events/catalog.js'
import { defaultNoticeTypes } from '../platform/config/notice-setting.js'
import { decodeId, newId } from '../platform/database/ids.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { notFound } from '../platform/http/problems/problem.js'
import { requireMatch } from '../platform/http/resource-headers.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { requireRoom } from '../workspaces/quotas.js'
import type { CountedQuota } from '../workspaces/quotas.js'
import { NoticeGroupsRepository } from './notice-groups.repository.js'
import { maskAddress, NoticeTargets } from './notice-targets.js'
import { NoticeTarget } from './notice.entity.js'
import { NoticeTargetDto } from './notices.dto.js'
import type { CreateNoticeTarget, UpdateNoticeTarget } from './notices.dto.js'

const targetQuota: CountedQuota = {
  setting: 'WORKSPACE_NOTICE_TARGETS',
  describe: (limit) => `${limit} notice targets`,
  remedy: 'Delete one that you no longer need',
  count: 'SELECT count(*) FROM notice_targets WHERE workspace_id = $1',
}

@Injectable()
export class NoticesService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly targets: NoticeTargets,
    private readonly groups: NoticeGroupsRepository,
    private readonly audit: AuditService,
    private readonly idempotency: Idempotency,
  ) {}

  async create(caller: Caller, body: CreateNoticeTarget): Promise<NoticeTargetDto> {
    const { workspaceId } = caller
    const { type, address } = body
    const events = [...new Set(body.events ?? defaultNoticeTypes)]
    const missing = receivingScopes(events).filter((scope) => !caller.useScope(scope))
    if (missing.length > 0) await refuseScopes(this.audit, caller, missing)
    const id = newId()
    const target = Object.assign(new NoticeTarget(), {
      id,
      workspaceId,
      type,
      sealedAddress: this.targets.seal(id, address),
      addressHint: maskAddress({ type, address }),
      events,
    })
    return this.idempotency.runOnce(caller.keyed, async (tx) => {
      await requireRoom(tx, workspaceId, targetQuota, this.settings.workspaceNoticeTargets)
      await tx.insert(NoticeTarget, target)
      const details = { type, address: target.addressHint, events }
      await this.audit.record(tx, caller, 'notice_target.created', { type: 'notice_target', id }, details)
      return NoticeTargetDto.from(target, undefined)
    })
  }

  async update(
    caller: Caller,
    id: string,
    body: UpdateNoticeTarget,
    ifMatch: string | undefined,
  ): Promise<NoticeTargetDto> {
    let missing: Scope[] = []
    const shown = await this.dataSource.transaction(async (tx) => {
      const target = await this.lock(tx, caller, id, ifMatch)
      const events = [...new Set(body.events ?? target.events)]
      if (isDeepStrictEqual(events, target.events)) return this.show(tx, target)
      missing = receivingScopes(events).filter((scope) => !caller.useScope(scope))
      if (missing.length > 0) return null
      await tx.update(NoticeTarget, { id: target.id }, { events })
      await this.groups.dropUnsent(tx, target.id, events)
      const object = { type: 'notice_target', id: target.id } as const
      await this.audit.record(tx, caller, 'notice_target.changed', object, { events })
      return this.show(tx, Object.assign(target, { events }))
    })
    // Outside the transaction, because the audit entry needs its own connection. Nothing was changed.
    return shown ?? refuseScopes(this.audit, caller, missing)
  }

  async delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const target = await this.lock(tx, caller, id, ifMatch)
      const targetId = target.id
      await tx.delete(NoticeTarget, { id: targetId })
      await this.groups.deleteGroups(targetId, tx)
      const details = { type: target.type, address: target.addressHint }
      const object = { type: 'notice_target', id: targetId } as const
      await this.audit.record(tx, caller, 'notice_target.deleted', object, details)
    })
  }

  private async show(tx: EntityManager, target: NoticeTarget): Promise<NoticeTargetDto> {
    const states = await this.groups.findStates([target.id], tx)
    return NoticeTargetDto.from(target, states.get(target.id))
  }

  private async lock(
    tx: EntityManager,
    { workspaceId }: Caller,
    id: string,
    ifMatch: string | undefined,
  ): Promise<NoticeTarget> {
    const targetId = decodeId('ntt', id)
    const where = { id: targetId ?? '', workspaceId }
    const target =
      targetId && (await tx.findOne(NoticeTarget, { where, lock: { mode: 'pessimistic_write' } }))
    if (!target) throw notFound('notice target')
    requireMatch(ifMatch, NoticeTargetDto.from(target, undefined))
    return target
  }
}

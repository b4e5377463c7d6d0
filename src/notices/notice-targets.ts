/** Finds the targets of notices: those of a workspace, and those that the operator sets for all workspaces. */
import { createHash } from 'node:crypto'

import { Inject, Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { toUuid } from '../platform/database/ids.js'
import { getNoticeTargetContext } from '../platform/database/sealed-columns.js'
import { Sealing } from '../platform/database/sealing.js'
import type { NoticeAddress, NoticeType } from '../platform/config/notice-setting.js'
import { parseUrl } from '../platform/util/parse-url.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { NoticeTarget } from './notice.entity.js'

/** A target that a message can be sent to. */
export interface Target {
  id: string
  type: NoticeAddress['type']
  /** Null if ENCRYPTION_KEY has changed, so that the address cannot be decrypted. */
  address: string | null
  hint: string
  events: readonly NoticeType[]
  isFromOperator: boolean
}

@Injectable()
export class NoticeTargets {
  /** The targets in NOTICES. */
  readonly operators: readonly Target[]

  constructor(
    @Inject(SETTINGS) settings: RunningSettings,
    @InjectRepository(NoticeTarget) private readonly targets: Repository<NoticeTarget>,
    private readonly sealing: Sealing,
  ) {
    this.operators = (settings.notices?.targets ?? []).map(({ type, address }) => ({
      id: operatorTargetId(type, address),
      type,
      address,
      hint: maskAddress({ type, address }),
      events: settings.noticeEvents,
      isFromOperator: true,
    }))
  }

  seal(id: string, address: string): Buffer {
    return this.sealing.seal(address, getNoticeTargetContext(id))
  }

  /** Returns the targets of each workspace, including those of the operator. */
  async findForWorkspaces(
    db: EntityManager,
    workspaceIds: readonly string[],
  ): Promise<Map<string, Target[]>> {
    const rows = await db.findBy(NoticeTarget, { workspaceId: In([...workspaceIds]) })
    return new Map(
      workspaceIds.map((workspaceId) => [
        workspaceId,
        [
          ...this.operators,
          ...rows.filter((row) => row.workspaceId === workspaceId).map((row) => this.open(row)),
        ],
      ]),
    )
  }

  /** Returns null if the target was removed. */
  async findTarget(id: string): Promise<Target | null> {
    const ofOperator = this.operators.find((target) => target.id === id)
    if (ofOperator) return ofOperator
    const row = await this.targets.findOneBy({ id })
    return row && this.open(row)
  }

  private open({ id, type, sealedAddress, addressHint, events }: NoticeTarget): Target {
    return {
      id,
      type,
      address: this.tryOpen(id, sealedAddress),
      hint: addressHint,
      events,
      isFromOperator: false,
    }
  }

  private tryOpen(id: string, sealed: Buffer): string | null {
    try {
      return this.sealing.open(sealed, getNoticeTargetContext(id))
    } catch {
      return null
    }
  }
}

/** Returns an ID that stays the same across restarts and replicas. */
function operatorTargetId(type: string, address: string): string {
  return toUuid(createHash('sha256').update(`${type}:${address}`).digest('hex').slice(0, 32))
}

const shownCharacters = 4

/** Masks an address: targets stay distinguishable, and the secret part of a URL is hidden. */
export function maskAddress({ type, address }: NoticeAddress): string {
  if (type === 'email') return address.replace(/^(.)[^@]*/u, '$1…')
  return `${parseUrl(address)!.host}/…${Array.from(address).slice(-shownCharacters).join('')}`
}

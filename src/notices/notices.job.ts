/** Sends notices. Several workers may run this at the same time: each message is claimed by one of them. */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { declareJobs, Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { NoticeGroupsRepository } from './notice-groups.repository.js'
import { NoticeSender } from './notice-sender.js'
import { NoticeTargets } from './notice-targets.js'
import { createNotice, dashboardUrl } from './notice-texts.js'
import type { NoticeGroup, PendingNotice } from './notice.entity.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Groups new events into messages, and sends those that are due. */
    'send-notices': Record<string, never>
  }
}

const intervalMs = 5_000
/** Less often than notices are sent, because the deletion reads all groups. */
const deleteEveryMs = 3_600_000
/** The next run continues. */
const maxMessages = 100

export const noticeJobs = declareJobs({ 'send-notices': { everyMs: () => intervalMs } })

@Injectable()
@Handles('send-notices')
export class NoticesJob implements JobHandler<'send-notices'> {
  private deletedAt = -Infinity
  private readonly logger = new Logger(NoticesJob.name)

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly groups: NoticeGroupsRepository,
    private readonly targets: NoticeTargets,
    private readonly sender: NoticeSender,
  ) {}

  async handle(): Promise<void> {
    while ((await this.groups.groupPending((tx, pending) => this.addToGroups(tx, pending))) > 0);
    const operatorIds = this.targets.operators.map(({ id }) => id)
    if (performance.now() - this.deletedAt >= deleteEveryMs) await this.deleteAbandoned()
    for (let sent = 0; sent < maxMessages; sent++) {
      const group = await this.groups.claimGroup(operatorIds)
      if (!group) return
      await this.sendGroup(group)
    }
  }

  async deleteAbandoned(): Promise<void> {
    await this.groups.deleteAbandoned(this.targets.operators.map(({ id }) => id))
    this.deletedAt = performance.now()
  }

  private async addToGroups(tx: EntityManager, pending: readonly PendingNotice[]): Promise<void> {
    const workspaceIds = [...new Set(pending.map(({ workspaceId }) => workspaceId))]
    const targets = await this.targets.findForWorkspaces(tx, workspaceIds)
    const added = new Map<
      string,
      { group: Pick<NoticeGroup, 'targetId' | 'workspaceId' | 'type'>; ids: string[] }
    >()
    for (const { eventId, workspaceId, type } of pending)
      for (const target of targets.get(workspaceId) ?? []) {
        if (!target.events.includes(type)) continue
        const key = `${target.id} ${workspaceId} ${type}`
        const entry = added.get(key) ?? { group: { targetId: target.id, workspaceId, type }, ids: [] }
        entry.ids.push(eventId)
        added.set(key, entry)
      }
    // In a fixed order, so that two workers cannot deadlock.
    for (const [, { group, ids }] of [...added].sort(([a], [b]) => (a < b ? -1 : 1)))
      await this.groups.addEvents(tx, group, ids.sort())
  }

  private async sendGroup(group: NoticeGroup): Promise<void> {
    const target = await this.targets.findTarget(group.targetId)
    // The workspace has just removed the target, and its groups with it.
    if (!target) return
    const { type, count, workspaceId } = group
    const notice = createNotice({
      type,
      count,
      events: await this.groups.findEvents(group),
      workspace: await this.groups.findWorkspaceName(workspaceId),
      instanceName: this.settings.instanceName,
      dashboard: dashboardUrl(this.settings),
    })
    const error = await this.sender.send(target, notice)
    if (error === null) return this.groups.markSent(group)
    await this.groups.markFailed(group, error)
    if (!this.groups.isLastAttempt(group)) return
    this.logger.warn(`A notice to ${target.type} ${target.hint} was not accepted within a day: ${error}`)
    await this.groups.giveUp(group)
  }
}

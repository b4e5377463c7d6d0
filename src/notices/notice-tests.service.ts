/** Sends test notices to the targets of a workspace. */
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { encodeId } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { createTestNotice, dashboardUrl } from './notice-texts.js'
import { NoticeGroupsRepository } from './notice-groups.repository.js'
import { NoticeSender } from './notice-sender.js'
import { NoticeTargets } from './notice-targets.js'
import type { NoticeTestDto } from './notices.dto.js'

/** A test sends email to addresses that the workspace chose, so it must not be usable to flood them. */
const secondsBetweenTests = 10

@Injectable()
export class NoticeTestsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly targets: NoticeTargets,
    private readonly groups: NoticeGroupsRepository,
    private readonly sender: NoticeSender,
  ) {}

  /** The targets of the operator are tested only by tokens of the operator. */
  async sendTests(caller: Caller): Promise<NoticeTestDto> {
    const { workspaceId } = caller
    await this.limitTests(workspaceId)
    const all = await this.targets.findForWorkspaces(this.dataSource.manager, [workspaceId])
    const isOperator = caller.useScope('instance:read')
    const tested = all.get(workspaceId)!.filter((target) => isOperator || !target.isFromOperator)
    const notice = createTestNotice({
      workspace: await this.groups.findWorkspaceName(workspaceId),
      instanceName: this.settings.instanceName,
      dashboard: dashboardUrl(this.settings),
    })
    const results = tested.map(async (target) => {
      const error = await this.sender.send(target, notice)
      const id = target.isFromOperator ? null : encodeId('ntt', target.id)
      return { id, type: target.type, address: target.hint, delivered: error === null, error }
    })
    return { results: await Promise.all(results) }
  }

  private async limitTests(workspaceId: string): Promise<void> {
    const allowed: unknown[] = await this.dataSource.query(
      `INSERT INTO notice_tests AS previous (workspace_id, tested_at) VALUES ($1, now())
       ON CONFLICT (workspace_id) DO UPDATE SET tested_at = now()
       WHERE previous.tested_at < now() - $2 * interval '1 s'
       RETURNING workspace_id`,
      [workspaceId, secondsBetweenTests],
    )
    if (allowed.length > 0) return
    throw new Problem('rate_limited', {
      detail: `A test was sent less than ${secondsBetweenTests} seconds ago. Wait, then send the next one.`,
      headers: { 'retry-after': String(secondsBetweenTests) },
    })
  }
}

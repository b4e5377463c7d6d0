/** Reads notice targets, with what was last sent to each. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, LessThan } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { decodeId } from '../platform/database/ids.js'
import { Cursors } from '../platform/http/input/page.js'
import type { Page, PageQuery } from '../platform/http/input/page.js'
import { notFound } from '../platform/http/problems/problem.js'
import { NoticeGroupsRepository } from './notice-groups.repository.js'
import { NoticeTarget } from './notice.entity.js'
import { NoticeTargetDto } from './notices.dto.js'

@Injectable()
export class NoticesReadingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly groups: NoticeGroupsRepository,
    private readonly cursors: Cursors,
  ) {}

  list({ workspaceId }: Caller, query: PageQuery): Promise<Page<NoticeTargetDto>> {
    return this.cursors.readPage(query, `notice targets of ${workspaceId}`, {
      read: async (before, limit) => {
        const found = await this.dataSource.manager.find(NoticeTarget, {
          where: { workspaceId, ...(before === null ? {} : { id: LessThan(before) }) },
          order: { id: 'DESC' },
          take: limit,
        })
        const states = await this.groups.findStates(found.map(({ id }) => id))
        return found.map((target) => ({ target, state: states.get(target.id) }))
      },
      position: ({ target }) => target.id,
      show: ({ target, state }) => NoticeTargetDto.from(target, state),
    })
  }

  async get({ workspaceId }: Caller, id: string): Promise<NoticeTargetDto> {
    const targetId = decodeId('ntt', id)
    const target =
      targetId && (await this.dataSource.manager.findOneBy(NoticeTarget, { id: targetId, workspaceId }))
    if (!target) throw notFound('notice target')
    const states = await this.groups.findStates([target.id])
    return NoticeTargetDto.from(target, states.get(target.id))
  }
}

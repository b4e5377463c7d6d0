import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'

import { decodeId, newId, getIdTime } from '../platform/database/ids.js'
import { Workspace } from './workspace.entity.js'

export const defaultWorkspace = 'default'

@Injectable()
export class WorkspacesService {
  constructor(@InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>) {}

  /** Returns null if the name is taken. */
  async create(name: string): Promise<Workspace | null> {
    const id = newId()
    const workspace = Object.assign(new Workspace(), { id, name, createdAt: getIdTime(id) })
    const insert = this.workspaces.createQueryBuilder().insert().values(workspace)
    const inserted = await insert.orIgnore().returning('id').execute()
    return (inserted.raw as unknown[]).length > 0 ? workspace : null
  }

  /** Finds a workspace by its name or ID. Creates the default workspace on first use. */
  async find(nameOrId: string): Promise<Workspace | null> {
    if (nameOrId === defaultWorkspace) await this.create(nameOrId)
    const id = decodeId('wsp', nameOrId)
    // A name can look like an ID. Names take precedence, because people choose them.
    const named = await this.workspaces.findOneBy({ name: nameOrId })
    return named ?? (id === null ? null : this.workspaces.findOneBy({ id }))
  }

  async list(): Promise<Workspace[]> {
    await this.create(defaultWorkspace)
    return this.workspaces.find({ order: { id: 'ASC' } })
  }
}

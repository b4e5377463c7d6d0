import { encodeId } from '../platform/database/ids.js'
import type { Workspace } from './workspace.entity.js'

export class WorkspaceDto {
  id!: string
  name!: string
  created_at!: string

  static from({ id, name, createdAt }: Workspace): WorkspaceDto {
    return Object.assign(new WorkspaceDto(), {
      id: encodeId('wsp', id),
      name,
      created_at: createdAt.toISOString(),
    })
  }
}

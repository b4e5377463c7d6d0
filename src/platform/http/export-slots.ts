import { Injectable } from '@nestjs/common'

import { Problem } from './problems/problem.js'

const maxPerWorkspace = 2
/** An export of links uses a separate database connection, and an export of the audit log uses the pool for minutes. */
const maxPerProcess = 4
const retryAfterSeconds = '10'

interface RunningExport {
  workspaceId: string
}

/** Limits concurrent exports, of links and of the audit log together. */
@Injectable()
export class ExportSlots {
  private readonly running = new Set<RunningExport>()

  /** Returns a function that releases the slot. Throws if no slot is free. */
  takeSlot(workspaceId: string): () => void {
    const ofWorkspace = [...this.running].filter((each) => each.workspaceId === workspaceId)
    if (ofWorkspace.length >= maxPerWorkspace)
      throw tooMany(`A workspace can run ${maxPerWorkspace} exports at a time.`)
    if (this.running.size >= maxPerProcess) throw tooMany('The service is running too many exports.')
    const running = { workspaceId }
    this.running.add(running)
    return () => this.running.delete(running)
  }
}

function tooMany(reason: string): Problem {
  return new Problem('rate_limited', {
    detail: `${reason} Try again when one ends.`,
    headers: { 'retry-after': retryAfterSeconds },
  })
}

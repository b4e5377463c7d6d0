/** Deletions of links that can be undone: their requests are sent after 10 seconds, or when the page or session ends. */
import { computed, signal } from '@preact/signals'
import { NotFoundError } from '@link-service/client'

import { keepaliveService, service } from '../api/client.js'
import { plural } from './format.js'
import { dismiss, showNotice, showUndoNotice } from './notices.js'
import { isSignedIn, me } from './session-state.js'
import { createSnippet } from './snippets.js'
import type { SnippetCall } from './snippets.js'

interface Deletion {
  ids: readonly string[]
  /** The links to delete, such as `link “/spring”`. */
  name: string
  timer: number
  noticeId: number
  /** Resolves to whether the links were deleted. Null until the request is sent. */
  result: Promise<boolean> | null
  /** Whether the request in progress continues after the page is closed. */
  isKeptAlive: boolean
}

const undoMs = 10_000
/**
 * Maximum number of links in one request. A page that is being closed can send 64 KiB, which fits the IDs of twice as
 * many links: of the deletions that wait, and of those in progress.
 */
const maxLinks = 900
/** A device without a mouse can end a hidden page without another event. */
const touchScreen = matchMedia('(pointer: coarse)')

/** Deletions that are waiting or in progress. */
const deletions = signal<readonly Deletion[]>([])

/** The IDs of the links that the service has deleted. Lists reload when they change. */
export const deletedIds = signal<ReadonlySet<string>>(new Set())

/** The IDs of all links that the user deleted on this page, even if the request is not sent yet. */
export const hiddenIds = computed(
  () => new Set([...deletedIds.value, ...deletions.value.flatMap(({ ids }) => ids)]),
)

export function isDeleted(id: string): boolean {
  return hiddenIds.value.has(id)
}

/** Whether a deletion of this many links waits, so that it can be undone. */
export function canUndoDeletion(count: number): boolean {
  return count <= maxLinks
}

/** Deletes links. A deletion that can be undone is sent later. `slug` names a single link. */
export function deleteLinks(ids: readonly string[], slug?: string): void {
  for (let start = 0; start < ids.length; start += maxLinks) {
    const deletion = addDeletion(ids.slice(start, start + maxLinks), slug)
    if (!canUndoDeletion(ids.length)) void send(deletion)
  }
  while (countLinks(waitingDeletions()) > maxLinks) void send(waitingDeletions()[0]!)
}

function addDeletion(ids: readonly string[], slug?: string): Deletion {
  const name = ids.length === 1 && slug !== undefined ? `link “/${slug}”` : plural(ids.length, 'link')
  const deletion: Deletion = {
    ids,
    name,
    timer: window.setTimeout(() => void send(deletion), undoMs),
    noticeId: showUndoNotice(`Deleted ${name}`, createSnippet(createDeletionCall(ids)), () => undo(deletion)),
    result: null,
    isKeptAlive: false,
  }
  deletions.value = [...deletions.value, deletion]
  return deletion
}

/** The newest deletion that can be undone. */
export function lastDeletion(): { name: string; undo: () => void } | null {
  const last = waitingDeletions().at(-1)
  return last ? { name: last.name, undo: () => undo(last) } : null
}

/** Sends all deletions that wait. Returns false if a deletion failed, after showing the error. */
export async function sendPendingDeletions(): Promise<boolean> {
  const results = await Promise.all(deletions.value.map((each) => each.result ?? send(each, true)))
  return results.every(Boolean)
}

function waitingDeletions(): Deletion[] {
  return deletions.value.filter(({ result }) => result === null)
}

function countLinks(counted: readonly Deletion[]): number {
  return counted.reduce((sum, { ids }) => sum + ids.length, 0)
}

function undo(deletion: Deletion): void {
  if (deletion.result !== null) {
    showNotice(`The deletion of ${deletion.name} can no longer be undone.`, null, true)
    return
  }
  stopWaiting(deletion)
  removeDeletion(deletion)
}

function stopWaiting({ timer, noticeId }: Deletion): void {
  clearTimeout(timer)
  dismiss(noticeId)
}

function removeDeletion(deletion: Deletion): void {
  deletions.value = deletions.value.filter((each) => each !== deletion)
}

function send(deletion: Deletion, isPageClosing = false): Promise<boolean> {
  stopWaiting(deletion)
  const keptAlive = deletions.value.filter(({ isKeptAlive }) => isKeptAlive)
  deletion.isKeptAlive = isPageClosing || countLinks([...keptAlive, deletion]) <= maxLinks
  deletion.result = requestDeletion(deletion.ids, deletion.isKeptAlive ? keepaliveService : service).then(
    (failedIds) => {
      const succeeded = deletion.ids.filter((id) => !failedIds.includes(id))
      deletedIds.value = new Set([...deletedIds.value, ...succeeded])
      removeDeletion(deletion)
      if (failedIds.length === 0) return true
      showNotice(`Could not delete ${plural(failedIds.length, 'link')}. Try again.`, null, true)
      return false
    },
    (error: unknown) => {
      fail(deletion, error instanceof Error ? error.message : 'Try again.')
      return false
    },
  )
  return deletion.result
}

/** Shows the links in lists again. */
function fail(deletion: Deletion, reason: string): void {
  removeDeletion(deletion)
  showNotice(`Could not delete ${deletion.name}. ${reason}`, null, true)
}

/** Returns the IDs that were not deleted. Links that no longer exist count as deleted. */
async function requestDeletion(ids: readonly string[], client: typeof service): Promise<string[]> {
  const [first] = ids
  if (ids.length === 1 && first !== undefined) {
    await client.links.delete(first).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error
      return requireSameSession(client)
    })
    return []
  }
  const { results } = await client.links.deleteMany(createDeletionBody(ids))
  if (results.some(({ error }) => error?.code === 'not_found')) await requireSameSession(client)
  return results
    .filter(({ error }) => error !== null && error.code !== 'not_found')
    .flatMap(({ index }) => ids[index] ?? [])
}

/** Throws if another tab, which shares the session cookie, has signed in with another token. */
async function requireSameSession(client: typeof service): Promise<void> {
  const { id } = await client.tokens.self()
  if (id !== me.value?.id) throw new Error('Another tab has signed in with another token. Reload the page.')
}

function createDeletionBody(ids: readonly string[]) {
  return { ids: [...ids], atomic: false }
}

function createDeletionCall(ids: readonly string[]): SnippetCall {
  const [first] = ids
  if (ids.length === 1 && first !== undefined)
    return { method: 'DELETE', path: `/v1/links/${first}`, call: 'links.delete', args: [first] }
  return {
    method: 'POST',
    path: '/v1/links/bulk/delete',
    body: createDeletionBody(ids),
    call: 'links.deleteMany',
  }
}

/** Sends the deletions when the page is closed, and drops them when the session ends on its own. */
export function startDeletions(): void {
  addEventListener('pagehide', () => void sendPendingDeletions())
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && touchScreen.matches) void sendPendingDeletions()
  })
  isSignedIn.subscribe((signedIn) => {
    if (signedIn !== false) return
    for (const deletion of waitingDeletions()) {
      stopWaiting(deletion)
      fail(deletion, 'You were signed out.')
    }
  })
}

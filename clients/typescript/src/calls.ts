/**
 * Creates the client's methods from the table of operations. The arguments are the path IDs, body, query and options
 * that the operation takes.
 */
import { follow } from './follow.js'
import type { FeedPage, FollowedRow, FollowOptions } from './follow.js'
import { routes } from './generated/routes.js'
import type { CallOptions } from './options.js'
import { List } from './pages.js'
import type { Page } from './pages.js'
import type { CallInput } from './request.js'
import type { Transport } from './transport.js'
import type { ArgumentsOf, ItemOf, OperationId, OptionsOf, QueryOf, ResultOf } from './types.js'

export function createCall<Id extends OperationId>(
  api: Transport,
  id: Id,
): (...args: ArgumentsOf<Id>) => Promise<ResultOf<Id>> {
  return async (...args) => {
    const { input, options } = parseArguments(id, args)
    return api.call(id, input, options)
  }
}

/** Creates the method of an operation that returns pages. */
export function createList<Id extends OperationId>(
  api: Transport,
  id: Id,
): (...args: ArgumentsOf<Id, 'after' | 'cursor'>) => List<ItemOf<Id>> {
  return (...args) => {
    const { input, options } = parseArguments(id, args)
    return new List(async (cursor) => {
      const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) }
      const page: unknown = await api.call(id, { ...input, query }, options)
      return page as Page<ItemOf<Id>>
    })
  }
}

/** Creates the method of an operation that returns a file of one of these types. */
export function createDownload<Id extends OperationId>(
  api: Transport,
  id: Id,
  types: readonly string[],
): (...args: ArgumentsOf<Id>) => Promise<ReadableStream<Uint8Array>> {
  return async (...args) => {
    const { input, options } = parseArguments(id, args)
    return api.download(id, input, types, options)
  }
}

type Feed = 'listClicks' | 'listEvents'
type Filter<Id extends Feed> = Omit<QueryOf<Id>, 'after' | 'cursor' | 'limit'>

const followedPage = 100

export function createFollow<Id extends Feed>(
  api: Transport,
  id: Id,
): (options?: FollowOptions & Filter<Id>) => AsyncGenerator<FollowedRow<ItemOf<Id>>, void, undefined> {
  return ({ after, pollMs, signal, timeoutMs, maxRetries, ...filter }: FollowOptions & object = {}) => {
    const read = async (after: string, options: CallOptions) => {
      const query = { ...filter, after, limit: followedPage }
      const page: unknown = await api.call(id, { query }, options)
      return page as FeedPage<ItemOf<Id>>
    }
    return follow(read, { after, pollMs, signal, timeoutMs, maxRetries })
  }
}

function parseArguments<Id extends OperationId>(
  id: Id,
  args: readonly unknown[],
): { input: CallInput; options: OptionsOf<Id> } {
  const { path, takes } = routes[id] as { path: string; takes: readonly string[] }
  const ids = path.match(/\{/g)?.length ?? 0
  const remaining = args.slice(ids)
  const body = takes.includes('body') ? remaining.shift() : undefined
  const query = takes.includes('query') ? (remaining.shift() as object | undefined) : undefined
  return { input: { path: args.slice(0, ids) as string[], body, query }, options: remaining[0] ?? {} }
}

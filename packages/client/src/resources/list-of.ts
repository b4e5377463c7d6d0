import { List } from '../pages.js'
import type { Page } from '../pages.js'
import type { CallOptions, Transport } from '../transport.js'
import type { ItemOf, OperationId } from '../types.js'

/** The list of an operation that answers pages. */
export function listOf<Id extends OperationId>(
  api: Transport,
  id: Id,
  path: readonly string[],
  query: object,
  options?: CallOptions,
): List<ItemOf<Id>> {
  return new List(async (cursor) => {
    const page: unknown = await api.call(
      id,
      { path, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } },
      options,
    )
    return page as Page<ItemOf<Id>>
  })
}

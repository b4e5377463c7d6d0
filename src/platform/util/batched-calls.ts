import { Batcher, rethrowFailure } from './batcher.js'
import type { BatchLimits } from './batcher.js'

interface PendingCall<In, Out> {
  item: In
  resolve: (result: Out) => void
  reject: (error: unknown) => void
}

/** Combines concurrent calls into batches. If a batch fails, all its calls fail. Nothing is retried. */
export class BatchedCalls<In, Out> {
  private readonly batcher: Batcher<PendingCall<In, Out>>

  /** `work` resolves with a function that returns the result of an item. If it throws, only the item's call fails. */
  constructor(
    { gatherMs, ...limits }: BatchLimits<In>,
    private readonly work: (items: In[]) => Promise<(item: In) => Out>,
  ) {
    this.batcher = new Batcher(
      { ...limits, ...(gatherMs && { gatherMs: ({ item }) => gatherMs(item) }) },
      (batch) => this.settleAll(batch),
      rethrowFailure,
    )
  }

  call(item: In): Promise<Out> {
    return new Promise((resolve, reject) => this.batcher.addItem({ item, resolve, reject }))
  }

  private async settleAll(calls: readonly PendingCall<In, Out>[]): Promise<void> {
    try {
      const getResult = await this.work(calls.map(({ item }) => item))
      for (const call of calls) settleCall(call, getResult)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
}

function settleCall<In, Out>(
  { item, resolve, reject }: PendingCall<In, Out>,
  getResult: (item: In) => Out,
): void {
  try {
    resolve(getResult(item))
  } catch (error) {
    reject(error)
  }
}

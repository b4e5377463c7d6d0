/** The results of a test notice. */
import type { ResultOf } from '@link-service/client'

import { getTargetTypeName } from './target-dialogs.js'

type Result = ResultOf<'testNotices'>['results'][number]

export function TestOutcome({ results }: { results: readonly Result[] }) {
  const failed = results.filter(({ delivered }) => !delivered)
  if (failed.length === 0)
    return (
      <p class={`callout ${results.length === 0 ? 'warn' : 'good'}`} role="status">
        {describeSuccess(results)}
      </p>
    )
  return (
    <div class="callout bad" role="status">
      {results.length === 1 ? (
        <p>
          The test failed. <Reason result={failed[0]!} />
        </p>
      ) : (
        <>
          <p>
            {failed.length === results.length
              ? `The test failed for all ${results.length} targets.`
              : `The test failed for ${failed.length} of ${results.length} targets.`}
          </p>
          <ul class="test-failures">
            {failed.map((result) => (
              <li key={result.id ?? result.type + result.address}>
                <Reason result={result} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function describeSuccess(results: readonly Result[]): string {
  const [only] = results
  if (!only) return 'There is no target to send a test to. Add a target first.'
  return results.length === 1
    ? `${getTargetTypeName(only.type)} ${only.address} accepted the test. Check that the message arrived.`
    : `${results.length === 2 ? 'Both' : `All ${results.length}`} targets accepted the test. Check that the messages arrived.`
}

function Reason({ result: { id, type, address, error } }: { result: Result }) {
  return (
    <>
      {getTargetTypeName(type)} <code>{address}</code>
      {id === null && ' (set by the operator)'}: {error}
    </>
  )
}

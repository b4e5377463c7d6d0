/** Statements of background work, which run during any test, and may open a connection. */
import { reportStatement } from '../../src/app/processes/processes.repository.js'
import { connectStatement } from '../../src/platform/database/data-source.js'
import { clockStatement } from '../../src/platform/database/database-clock.js'
import { oldestTransactionStatement } from '../../src/platform/database/feed-watch.js'
import { testNotification } from '../../src/platform/database/pooler.js'

const backgroundStatements = [
  clockStatement,
  connectStatement,
  oldestTransactionStatement,
  reportStatement,
  testNotification,
]

export function isBackgroundStatement(text: string): boolean {
  return backgroundStatements.includes(text)
}

/** Records the statements of the service, and explains how PostgreSQL executes them. */
import { escapeLiteral } from 'pg'
import { DataSource } from 'typeorm'

import { isBackgroundStatement } from './background-statements.js'
import type { Service } from './service.js'

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

const nothing = () => undefined

export class Plan {
  /** The executed nodes. Other nodes were planned but not needed. */
  private readonly nodes: Node[]

  constructor(private readonly root: Node) {
    this.nodes = listNodes(root).filter((node) => node['Actual Loops'] > 0)
  }

  /** Tables that were scanned in full, except empty partitions and `feed_epoch`, which has one row. */
  get scanned(): string[] {
    return this.nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && countNodeRows(node) > 0)
      .map((node) => node['Relation Name']!)
      .filter((name) => name !== 'feed_epoch')
  }

  get indexes(): string[] {
    return this.nodes.flatMap((node) => node['Index Name'] ?? [])
  }

  get rowsRead(): number {
    return this.nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .reduce((sum, node) => sum + countNodeRows(node), 0)
  }

  get blocks(): number {
    return this.root['Shared Hit Blocks'] + this.root['Shared Read Blocks']
  }
}

function listNodes(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}

function countNodeRows(node: Node): number {
  const rowsRemoved = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return node['Actual Loops'] * (node['Actual Rows'] + rowsRemoved)
}

export class Statements {
  private seen: { sql: string; values: unknown[] }[] = []

  constructor(private readonly service: Service) {
    Object.assign(service.app.get(DataSource), {
      logger: {
        logQuery: (sql: string, values: unknown[] = []) => {
          if (!isBackgroundStatement(sql)) this.seen.push({ sql, values })
        },
        logQueryError: nothing,
        logQuerySlow: nothing,
        logSchemaBuild: nothing,
        logMigration: nothing,
        log: nothing,
      },
    })
  }

  /** Returns the plans of the statements of `work` that match `pattern`. Reruns each statement and rolls it back. */
  async collectPlans<Result>(
    work: () => Promise<Result>,
    pattern: RegExp,
  ): Promise<{ plans: Plan[]; result: Result }> {
    return this.collectExplained(work, pattern, (sql, values) => this.explain(sql, values))
  }

  /** Like `collectPlans`, with the generic plans that PostgreSQL uses for repeated statements. */
  async collectPreparedPlans<Result>(
    work: () => Promise<Result>,
    pattern: RegExp,
  ): Promise<{ plans: Plan[]; result: Result }> {
    return this.collectExplained(work, pattern, async (sql, values) => {
      await this.service.db.query('SET LOCAL plan_cache_mode = force_generic_plan')
      await this.service.db.query(`PREPARE seen AS ${sql}`)
      const parameters =
        values.length > 0
          ? `(${values.map((value) => (value === null ? 'NULL' : literal(value))).join(', ')})`
          : ''
      const plan = await this.explain(`EXECUTE seen ${parameters}`, [])
      await this.service.db.query('DEALLOCATE seen')
      return plan
    })
  }

  private async collectExplained<Result>(
    work: () => Promise<Result>,
    pattern: RegExp,
    explain: (sql: string, values: unknown[]) => Promise<Plan>,
  ): Promise<{ plans: Plan[]; result: Result }> {
    this.seen = []
    const result = await work()
    const plans: Plan[] = []
    for (const { sql, values } of this.seen.filter((each) => pattern.test(each.sql))) {
      await this.service.db.query('BEGIN')
      plans.push(await explain(sql, values))
      await this.service.db.query('ROLLBACK')
    }
    return { plans, result }
  }

  private async explain(sql: string, values: unknown[]): Promise<Plan> {
    const [row] = await this.service.db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      values,
    )
    return new Plan(row!['QUERY PLAN'][0].Plan)
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`)
  return escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

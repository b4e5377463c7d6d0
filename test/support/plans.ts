/** The statements that the service really sends, and how PostgreSQL carries them out. */
import { DataSource } from 'typeorm'

import type { Answer, Service } from './service.js'

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

const nothing = () => undefined

export class Plan {
  private readonly nodes: Node[]

  constructor(private readonly root: Node) {
    this.nodes = nodesOf(root)
  }

  /** Partitions that hold nothing may be read as they are. */
  private get busy(): Node[] {
    return this.nodes.filter((node) => node['Actual Rows'] > 0 || node['Rows Removed by Filter'])
  }

  get kinds(): string[] {
    return this.busy.map((node) => node['Node Type'])
  }

  get indexes(): string[] {
    return this.busy.flatMap((node) => node['Index Name'] ?? [])
  }

  get rowsRead(): number {
    return this.nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
      .reduce((sum, rows) => sum + rows, 0)
  }

  get blocks(): number {
    return this.root['Shared Hit Blocks'] + this.root['Shared Read Blocks']
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

export class Statements {
  private seen: { sql: string; values: unknown[] }[] = []

  constructor(private readonly service: Service) {
    Object.assign(service.app.get(DataSource), {
      logger: {
        logQuery: (sql: string, values: unknown[] = []) => this.seen.push({ sql, values }),
        logQueryError: nothing,
        logQuerySlow: nothing,
        logSchemaBuild: nothing,
        logMigration: nothing,
        log: nothing,
      },
    })
  }

  /** The plans of those statements of a call that match, as they run. */
  async plansOf(path: string, about: RegExp): Promise<{ plans: Plan[]; answer: Answer }> {
    this.seen = []
    const answer = await this.service.call('GET', path)
    const plans: Plan[] = []
    for (const { sql, values } of this.seen.filter((each) => about.test(each.sql))) {
      const [row] = await this.service.db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        values,
      )
      plans.push(new Plan(row!['QUERY PLAN'][0].Plan))
    }
    return { plans, answer }
  }
}

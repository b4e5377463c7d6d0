/** The alerts and dashboards in `deploy`. */
import { readdirSync, readFileSync } from 'node:fs'

import { load } from 'js-yaml'

export const rulesFolder = 'deploy/prometheus'
const dashboardsFolder = 'deploy/grafana'

export interface Alert {
  alert: string
  expr: string
  annotations: { summary: string; runbook_url: string }
}

interface Panel {
  title: string
  description?: string
  targets: { expr: string }[]
}

export interface DashboardQuery {
  name: string
  expr: string
  /** Whether the panel says that it can be empty. */
  canBeEmpty: boolean
}

export function readYaml(file: string): unknown {
  return load(readFileSync(`${rulesFolder}/${file}`, 'utf8'))
}

export function readAlerts(): Alert[] {
  return (readYaml('rules.yml') as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules)
}

export function readDashboardQueries(): DashboardQuery[] {
  return readdirSync(dashboardsFolder).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(`${dashboardsFolder}/${file}`, 'utf8')) as { panels: Panel[] }
    return panels.flatMap(({ title, description = '', targets }) =>
      targets.map(({ expr }) => ({
        name: `${file}: ${title}`,
        expr,
        canBeEmpty: description.startsWith('Empty without'),
      })),
    )
  })
}

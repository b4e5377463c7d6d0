/** The alerts and dashboards use existing metrics, and each alert has a runbook and a test. */
import { readdirSync, readFileSync } from 'node:fs'

import { collectDefaultMetrics, Registry } from 'prom-client'

import {
  metricPrefix,
  metrics,
  unconventionalDefaults,
} from '../../../src/app/health/metrics/metric-declarations.js'
import type { MetricDeclaration } from '../../../src/app/health/metrics/metric-declarations.js'
import { readAlerts, readDashboardQueries, readYaml, rulesFolder } from '../../support/alert-files.js'
import { describeWithPrometheus, runPromtool } from '../../support/prometheus.js'

const alerts = readAlerts()
const expressions = [...alerts.map(({ alert, expr }) => ({ name: alert, expr })), ...readDashboardQueries()]

const defaults = new Registry()
collectDefaultMetrics({ register: defaults })
const defaultNames = defaults.getMetricsAsArray().map(({ name }) => name)

/** The labels of each series that the service reports. */
const known = new Map<string, readonly string[]>([
  ['up', []],
  ...defaultNames
    .filter((name) => !unconventionalDefaults.includes(name))
    .map((name): [string, string[]] => [name, []]),
  ...Object.entries(metrics).flatMap(([name, { type, labels = [] }]: [string, MetricDeclaration]) =>
    (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map((suffix): [string, string[]] => [
      metricPrefix + name + suffix,
      suffix === '_bucket' ? [...labels, 'le'] : [...labels],
    ]),
  ),
])
const scraped = ['instance', 'job']

it.each(expressions)('the expression of $name uses existing metrics and labels', ({ expr }) => {
  const used = [...expr.matchAll(/\b(up|(?:link_service|nodejs|process)_\w+)\b(?:\{([^}]*)\})?/g)]
  expect(used.length).toBeGreaterThan(0)
  for (const [, name = '', selector = ''] of used) {
    expect([...known.keys()]).toContain(name)
    for (const [, label] of selector.matchAll(/(\w+)\s*(?:=|!)/g))
      expect([...known.get(name)!, ...scraped]).toContain(label)
  }
})

it('uses every declared metric in an alert or a dashboard', () => {
  const text = expressions.map(({ expr }) => expr).join('\n')
  const unused = Object.keys(metrics).filter(
    (name) => !new RegExp(`${metricPrefix}${name}(?:_|\\b)`).test(text),
  )
  expect(unused).toEqual([])
})

it.each(alerts)('$alert links to its runbook, which says what to check and how to fix it', (each) => {
  const [, page = '', anchor] = /^https:\/\/links\.example\/docs\/guide\/([\w-]+)#(\w+)$/.exec(
    each.annotations.runbook_url,
  )!
  expect(anchor).toBe(each.alert.toLowerCase())
  const sections = readFileSync(`docs/${page}.md`, 'utf8').split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${each.alert}\n`))
  expect(section).toMatch(/\n\n\S[^]+\n- Check[^]+\n- Fix: /)
})

it('has a firing and a quiet test of each alert', () => {
  interface RuleTest {
    alert_rule_test: { alertname: string; exp_alerts: unknown[] }[]
  }
  const { tests } = readYaml('rules_test.yml') as { tests: RuleTest[] }
  const cases = tests.flatMap((test) => test.alert_rule_test)
  const names = (isFiring: boolean) =>
    [
      ...new Set(
        cases.filter((each) => each.exp_alerts.length > 0 === isFiring).map((each) => each.alertname),
      ),
    ].sort()
  const all = alerts.map(({ alert }) => alert).sort()
  expect(names(true)).toEqual(all)
  expect(names(false)).toEqual(all)
})

it('has no runbook of a removed alert', () => {
  const headings = ['alerts', 'delivery-alerts'].flatMap((page) =>
    [...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading),
  )
  expect(headings.sort()).toEqual(alerts.map(({ alert }) => alert).sort())
})

it('quotes only log lines that the service writes', () => {
  const runbooks = ['alerts', 'delivery-alerts']
    .map((page) => readFileSync(`docs/${page}.md`, 'utf8'))
    .join('\n')
  const quoted = [...runbooks.matchAll(/\blog (?:has a )?line [`"]([^`"]+)[`"]/g)].map(
    ([, line = '']) => line,
  )
  expect(quoted.length).toBeGreaterThan(3)
  const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(`src/${name}`, 'utf8'))
    .join('\n')
  expect(quoted.filter((line) => !source.includes(line))).toEqual([])
})

describeWithPrometheus('promtool', () => {
  it('accepts the rules, and their tests pass', () => {
    expect(runPromtool(['check', 'rules', 'rules.yml'], { cwd: rulesFolder })).toMatchObject({ status: 0 })
    const { status, output } = runPromtool(['test', 'rules', 'rules_test.yml'], { cwd: rulesFolder })
    expect([status, output]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})

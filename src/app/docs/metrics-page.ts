/** Returns docs/metrics.md, from the declarations of the metrics. */
import { metricPrefix, metrics } from '../health/metrics/metric-declarations.js'
import type { MetricDeclaration, Reporter } from '../health/metrics/metric-declarations.js'

const sections: Readonly<Record<Reporter, { title: string; text: string }>> = {
  every: { title: 'Every process', text: 'Reported by API processes and workers.' },
  api: { title: 'API processes', text: 'Reported by processes with `ROLE=api` or `ROLE=all`.' },
  backup: { title: 'Scheduled backups', text: 'Reported by API processes with `BACKUP_DIR`.' },
  dashboard: { title: 'Dashboard', text: 'Reported by API processes unless `DASHBOARD=off`.' },
  worker: { title: 'Workers', text: 'Reported by processes with `ROLE=worker` or `ROLE=all`.' },
  proxy: { title: 'Egress proxy', text: 'Reported by workers with `WEBHOOK_PROXY`.' },
}

export function metricsPage(): string {
  const declared: [string, MetricDeclaration][] = Object.entries(metrics)
  const formatMetricRows = (reporter: string) =>
    declared
      .filter(([, { from }]) => from === reporter)
      .map(
        ([name, metric]) =>
          `| \`${metricPrefix}${name}\` | ${formatMetricType(metric)} | ${describe(metric)} |`,
      )
  return [
    '# Metrics',
    '`GET /metrics` responds with these metrics in the Prometheus text format. [Monitor the service](monitoring.md) describes how to collect them.',
    'Counters and histograms start at 0 when a process starts. A gauge for the **whole instance** has the same value in every process: use `max()`, not `sum()`. It is absent while its source, the database or the queue, does not respond, so alert on `link_service_database_up` and `link_service_queue_up` too.',
    ...Object.entries(sections).flatMap(([reporter, { title, text }]) => [
      `## ${title}`,
      text,
      ['| Metric | Type | Description |', '|---|---|---|', ...formatMetricRows(reporter)].join('\n'),
    ]),
    '## Node.js and the process',
    'Every process also reports the default metrics of prom-client, such as `process_resident_memory_bytes`, `process_cpu_seconds_total`, and `nodejs_eventloop_lag_p99_seconds`, the delay of the event loop since the last scrape.',
    'This page is generated: `node dist/main.js reference`.',
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

function formatMetricType({ type, labels = [] }: MetricDeclaration): string {
  return labels.length === 0 ? type : `${type} by ${labels.map((label) => `\`${label}\``).join(', ')}`
}

function describe({ help, scope }: MetricDeclaration): string {
  return scope === 'instance' ? `${help} Whole instance.` : help
}

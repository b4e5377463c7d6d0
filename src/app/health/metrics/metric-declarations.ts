/**
 * All metrics. Their readings, the page docs/metrics.md, and the checks of the rules and dashboards use these
 * declarations. Names follow the conventions of Prometheus: base units, and `_total` for counters.
 */

import { maxCountedDue } from '../../../dispatch/delivery-figures.repository.js'

/**
 * Which processes report a metric. `backup` is an API process with BACKUP_DIR, `dashboard` one with DASHBOARD=on, and
 * `proxy` a worker with WEBHOOK_PROXY.
 */
export type Reporter = 'every' | 'api' | 'backup' | 'dashboard' | 'worker' | 'proxy'

export interface MetricDeclaration {
  type: 'counter' | 'gauge' | 'histogram'
  labels?: readonly string[]
  /** The process that reports the metric. */
  from: Reporter
  /**
   * `instance` for values of the whole instance that every process reads from the database or the queue. They are
   * absent while the source does not respond.
   */
  scope?: 'instance'
  help: string
}

/** Names without the prefix `link_service_`. */
export const metrics = {
  build_info: {
    type: 'gauge',
    labels: ['version', 'role', 'node'],
    from: 'every',
    help: 'Always 1. The labels are the version of the service, its role and the version of Node.js.',
  },
  http_request_duration_seconds: {
    type: 'histogram',
    labels: ['route', 'method', 'status'],
    from: 'every',
    help: 'Duration of requests, excluding redirects and live streams. The route is a pattern such as /api/v1/links/:id, or none; the status is a class such as 2xx.',
  },
  redirect_duration_seconds: {
    type: 'histogram',
    labels: ['result'],
    from: 'api',
    help: 'Duration of requests for short links by result: redirected, not_found, gone or unavailable. A redirect includes writing its click to disk.',
  },
  redirect_cache_links: { type: 'gauge', from: 'api', help: 'Links in memory.' },
  redirect_cache_bytes: { type: 'gauge', from: 'api', help: 'Approximate memory used by cached links.' },
  redirect_lookups_total: { type: 'counter', from: 'api', help: 'Database lookups of links.' },
  redirect_lookup_failures_total: { type: 'counter', from: 'api', help: 'Failed database lookups of links.' },
  redirect_served_stale_total: {
    type: 'counter',
    from: 'api',
    help: 'Redirects served from memory while the database was unavailable.',
  },
  journal_pending_clicks: {
    type: 'gauge',
    from: 'api',
    help: 'Clicks in the journal that are not in the database yet.',
  },
  journal_pending_bytes: { type: 'gauge', from: 'api', help: 'Disk space used by pending clicks.' },
  journal_limit_bytes: {
    type: 'gauge',
    from: 'api',
    help: 'Maximum disk space for pending clicks (JOURNAL_MAX_BYTES). When it is full, clicks are written directly to the database.',
  },
  journal_oldest_pending_seconds: {
    type: 'gauge',
    from: 'api',
    help: 'Age of the oldest pending click: how far ingestion is behind.',
  },
  journal_dropped_clicks_total: {
    type: 'counter',
    from: 'api',
    help: 'Clicks that did not fit into the full journal and that the database did not confirm in time.',
  },
  journal_lost_clicks_total: {
    type: 'counter',
    from: 'api',
    help: 'Clicks that the disk failed to store and that the database did not confirm in time.',
  },
  journal_torn_lines_total: {
    type: 'counter',
    from: 'api',
    help: 'Journal lines that could not be read after a crash or a disk fault.',
  },
  click_readable_seconds: {
    type: 'histogram',
    from: 'api',
    help: 'Time from a click until the API shows it.',
  },
  analytics_lag_seconds: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: 'Age of the oldest click that is not counted for analytics yet.',
  },
  feed_held_back_seconds: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: 'Age of the oldest open transaction in the cluster. Feeds and analytics wait for it to end.',
  },
  event_first_attempt_seconds: {
    type: 'histogram',
    from: 'worker',
    help: 'Time from an event to its first delivery attempt, including the time its webhook was paused. Excludes batches and replays.',
  },
  delivery_attempt_duration_seconds: {
    type: 'histogram',
    labels: ['result', 'error'],
    from: 'worker',
    help: 'Duration of delivery attempts by result (succeeded, failed, deferred) and error class (none, timeout, http_status and others). Deferred attempts failed in the egress proxy.',
  },
  worker_lanes: { type: 'gauge', from: 'worker', help: 'Webhooks that this worker currently serves.' },
  worker_requests: {
    type: 'gauge',
    from: 'worker',
    help: 'Requests to receivers in flight, including slow ones.',
  },
  worker_requests_limit: {
    type: 'gauge',
    from: 'worker',
    help: 'Maximum number of requests in flight (WORKER_IN_FLIGHT). Requests that take longer than a second have a separate limit, which is twice as high.',
  },
  egress_proxy_up: {
    type: 'gauge',
    labels: ['proxy'],
    from: 'proxy',
    help: 'Whether the last connection through the egress proxy succeeded.',
  },
  egress_proxy_faults_total: {
    type: 'counter',
    labels: ['proxy'],
    from: 'proxy',
    help: 'Faults of the egress proxy.',
  },
  backup_overdue_seconds: {
    type: 'gauge',
    from: 'backup',
    help: 'How long the next scheduled backup is overdue. 0 while backups are on schedule.',
  },
  workers: { type: 'gauge', from: 'every', scope: 'instance', help: 'Workers that send deliveries.' },
  due_deliveries: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: `Due deliveries of active webhooks, counted up to ${maxCountedDue}.`,
  },
  deliveries_paused: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: 'Whether the operator paused all deliveries (`deliveries pause`): 1 or 0.',
  },
  oldest_due_delivery_seconds: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: 'How long the oldest due delivery has been waiting for a worker, or 0. Deliveries that wait for a circuit, a pause or a batch are not due.',
  },
  pending_deliveries: {
    type: 'gauge',
    labels: ['status'],
    from: 'every',
    scope: 'instance',
    help: 'Deliveries that are not completed: pending, or held because their webhook is paused or disabled.',
  },
  webhooks: {
    type: 'gauge',
    labels: ['status'],
    from: 'every',
    scope: 'instance',
    help: 'Webhooks by status: active, paused or disabled.',
  },
  webhooks_failing: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: 'Active webhooks whose last attempt failed.',
  },
  open_circuits: {
    type: 'gauge',
    from: 'every',
    scope: 'instance',
    help: 'Active webhooks that wait because their circuit is open or half open, or their receiver sent Retry-After.',
  },
  queue_up: { type: 'gauge', from: 'every', help: 'Whether the job queue responds.' },
  queue_jobs: {
    type: 'gauge',
    labels: ['state'],
    from: 'every',
    scope: 'instance',
    help: 'Jobs in the queue by state: waiting, prioritized, active or delayed.',
  },
  queue_dropped_hints_total: {
    type: 'counter',
    from: 'every',
    help: 'Hints that the queue did not accept. Workers find this work by polling.',
  },
  database_up: { type: 'gauge', from: 'every', help: 'Whether the database responds.' },
  database_pool_connections: {
    type: 'gauge',
    labels: ['state'],
    from: 'every',
    help: 'Connections of the pool by state: in_use or idle.',
  },
  database_pool_waiting: {
    type: 'gauge',
    from: 'every',
    help: 'Calls that wait for a connection of the pool.',
  },
  database_pool_size: {
    type: 'gauge',
    from: 'every',
    help: 'Maximum number of connections of the pool (DATABASE_POOL_SIZE).',
  },
  dashboard_sessions: {
    type: 'gauge',
    from: 'dashboard',
    scope: 'instance',
    help: 'Sessions of the dashboard and the webhook portal that have not expired.',
  },
} as const satisfies Record<string, MetricDeclaration>

export type MetricName = keyof typeof metrics
export const metricPrefix = 'link_service_'

/** Metrics of Node.js that break the conventions: gauges whose names end in `_total`. */
export const unconventionalDefaults = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

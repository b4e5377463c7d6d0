/** Prometheus metrics of the process, queue, analytics, journal, redirects and deliveries. */
import { Injectable, Optional } from '@nestjs/common'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

import { AnalyticsLag } from '../../analytics/rolling/checkpoints.repository.js'
import { ClickRecorder } from '../../clicks/click-recorder.js'
import { Dispatcher } from '../../dispatch/dispatcher.js'
import { RedirectLinks } from '../../links/redirect/redirect-links.js'
import { EgressProxy } from '../../platform/outbound/egress-proxy.js'
import { OutboundClient } from '../../platform/outbound/outbound-client.js'
import { FeedWatch } from '../../platform/database/feed-watch.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { withTimeout } from '../../platform/util/timers.js'

/** Timeout of the query for metrics, so that the other metrics are returned even if the database does not respond. */
const databaseTimeoutMs = 1_000

@Injectable()
export class Metrics {
  private readonly registry = new Registry()

  constructor(
    queue: JobQueue,
    analytics: AnalyticsLag,
    feeds: FeedWatch,
    @Optional() clicks?: ClickRecorder,
    @Optional() links?: RedirectLinks,
    @Optional() dispatcher?: Dispatcher,
    @Optional() client?: OutboundClient,
  ) {
    collectDefaultMetrics({ register: this.registry })
    this.gauge(
      'queue_dropped_hints',
      'Hints that the queue did not accept. Workers find this work by polling.',
      () => queue.droppedHints,
    )
    this.gauge(
      'feed_held_back_seconds',
      'Age of the oldest open transaction in the cluster. Feeds and analytics wait for it to end.',
      () => feeds.heldBackSeconds,
    )
    this.measureAnalytics(analytics)
    if (clicks) this.measureJournal(clicks)
    if (links) this.measureRedirects(links)
    if (dispatcher) this.measureDispatcher(dispatcher)
    if (client?.proxy) this.measureProxy(client.proxy)
  }

  get contentType(): string {
    return this.registry.contentType
  }

  read(): Promise<string> {
    return this.registry.metrics()
  }

  private measureJournal(clicks: ClickRecorder): void {
    const journal = () => clicks.journal.getStats()
    this.gauge(
      'journal_pending_clicks',
      'Clicks not yet written to the database.',
      () => journal().pendingClicks,
    )
    this.gauge('journal_pending_bytes', 'Disk space used by pending clicks.', () => journal().pendingBytes)
    this.gauge(
      'journal_oldest_pending_ms',
      'Age of the oldest pending click.',
      () => journal().oldestPendingMs,
    )
    this.gauge(
      'journal_dropped_clicks',
      'Clicks not recorded because the journal was full.',
      () => journal().dropped,
    )
    this.gauge('journal_lost_clicks', 'Clicks not recorded because the disk failed.', () => journal().lost)
    this.gauge('journal_torn_lines', 'Journal lines that could not be read.', () => journal().torn)
  }

  /** Queries the database at each scrape. If the query fails, the gauge keeps its last value. */
  private measureAnalytics(analytics: AnalyticsLag): void {
    this.gauge('analytics_lag_seconds', 'Age of the oldest click that the roller has not counted yet.', () =>
      withTimeout(
        analytics.readSeconds().catch(() => undefined),
        databaseTimeoutMs,
        undefined,
      ),
    )
  }

  private measureRedirects(links: RedirectLinks): void {
    const cache = () => links.cache.stats()
    this.gauge('redirect_cache_links', 'Links in memory.', () => cache().entries)
    this.gauge('redirect_cache_bytes', 'Approximate memory used by cached links.', () => cache().bytes)
    this.gauge('redirect_lookups', 'Database lookups of links since the start.', () => cache().loads)
    this.gauge('redirect_lookup_failures', 'Failed database lookups of links.', () => cache().loadErrors)
    this.gauge(
      'redirect_served_stale',
      'Redirects served from memory while the database was unavailable.',
      () => cache().servedStale,
    )
  }

  private measureDispatcher(dispatcher: Dispatcher): void {
    this.gauge(
      'worker_lanes',
      'Webhooks that this worker currently serves.',
      () => dispatcher.getStats().lanes,
    )
    this.gauge('worker_requests', 'Requests to receivers in flight.', () => dispatcher.getStats().inFlight)
    this.gauge('worker_attempts', 'Delivery attempts since the start.', () => dispatcher.getStats().attempts)
    this.gauge('worker_failed_attempts', 'Failed delivery attempts.', () => dispatcher.getStats().failures)
  }

  private measureProxy({ health, name }: EgressProxy): void {
    const labels = { proxy: name }
    this.gauge(
      'egress_proxy_up',
      'Whether the last connection through the egress proxy succeeded.',
      () => (health.fault === null ? 1 : 0),
      labels,
    )
    this.gauge(
      'egress_proxy_faults',
      'Faults of the egress proxy since the start.',
      () => health.faults,
      labels,
    )
  }

  private gauge(
    name: string,
    help: string,
    value: () => number | Promise<number | undefined>,
    labels: Record<string, string> = {},
  ): void {
    new Gauge({
      name: `link_service_${name}`,
      help,
      labelNames: Object.keys(labels),
      registers: [this.registry],
      async collect() {
        const current = await value()
        if (current !== undefined) this.set(labels, current)
      },
    })
  }
}

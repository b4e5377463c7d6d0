/** Metrics of this process, read from memory: requests, redirects, clicks and attempts. */
import { Inject, Injectable, Optional } from '@nestjs/common'

import { ClickRecorder } from '../../../clicks/click-recorder.js'
import { Dispatcher } from '../../../dispatch/dispatcher.js'
import { RedirectLinks } from '../../../links/redirect/redirect-links.js'
import { RequestDurations } from '../../../platform/http/request-durations.js'
import { OutboundClient } from '../../../platform/outbound/outbound-client.js'
import { version } from '../../../platform/util/program.js'
import { SETTINGS } from '../../../settings.js'
import type { RunningSettings } from '../../../settings.js'
import type { Readings } from './metric-text.js'

@Injectable()
export class ProcessMetrics {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly requests: RequestDurations,
    @Optional() private readonly clicks?: ClickRecorder,
    @Optional() private readonly links?: RedirectLinks,
    @Optional() private readonly dispatcher?: Dispatcher,
    @Optional() private readonly client?: OutboundClient,
  ) {}

  read(): Readings {
    return {
      build_info: [
        { labels: { version, role: this.settings.role, node: process.version.slice(1) }, value: 1 },
      ],
      http_request_duration_seconds: this.requests.durations,
      ...(this.links ? readRedirects(this.links) : {}),
      ...(this.clicks ? this.readClicks(this.clicks) : {}),
      ...(this.dispatcher ? this.readWorker(this.dispatcher) : {}),
    }
  }

  private readClicks({ journal, readableDurations }: ClickRecorder): Readings {
    const { pendingBytes, pendingClicks, oldestPendingMs, dropped, lost, torn } = journal.getStats()
    return {
      journal_pending_clicks: pendingClicks,
      journal_pending_bytes: pendingBytes,
      journal_limit_bytes: this.settings.journalMaxBytes,
      journal_oldest_pending_seconds: oldestPendingMs / 1000,
      journal_dropped_clicks_total: dropped,
      journal_lost_clicks_total: lost,
      journal_torn_lines_total: torn,
      click_readable_seconds: readableDurations ? [{ labels: {}, histogram: readableDurations }] : null,
    }
  }

  private readWorker(dispatcher: Dispatcher): Readings {
    const { durations } = dispatcher
    const { lanes, inFlight } = dispatcher.getStats()
    return {
      event_first_attempt_seconds: [{ labels: {}, histogram: durations.untilFirst }],
      delivery_attempt_duration_seconds: durations.attempts,
      worker_lanes: lanes,
      worker_requests: inFlight,
      worker_requests_limit: this.settings.workerInFlight,
      ...this.readProxy(),
    }
  }

  private readProxy(): Readings {
    const proxy = this.client?.proxy
    if (!proxy) return {}
    const { health, name } = proxy
    const labels = { proxy: name }
    return {
      egress_proxy_up: [{ labels, value: health.fault === null ? 1 : 0 }],
      egress_proxy_faults_total: [{ labels, value: health.faults }],
    }
  }
}

function readRedirects({ cache, durations }: RedirectLinks): Readings {
  const { entries, bytes, loads, loadErrors, servedStale } = cache.stats()
  return {
    redirect_duration_seconds: Object.entries(durations).map(([result, histogram]) => ({
      labels: { result },
      histogram,
    })),
    redirect_cache_links: entries,
    redirect_cache_bytes: bytes,
    redirect_lookups_total: loads,
    redirect_lookup_failures_total: loadErrors,
    redirect_served_stale_total: servedStale,
  }
}

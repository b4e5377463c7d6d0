/** The live clicks of a link. */
import type { Click } from '@link-service/client'
import { useEffect, useMemo, useState } from 'preact/hooks'

import { followClicks, getNewestCursor, getRecentClicks } from '../../api/click-stream.js'
import { useRetry } from '../../app/resource.js'
import { formatExact, formatNumber, formatTimeOfDay, now, plural } from '../../app/format.js'
import { countryName, getDimensionLabel } from '../../clicks/dimensions.js'
import { getCountryFlag } from '../../clicks/flag.js'
import { Badge, Section } from '../../components/basics.js'
import { Empty, Failure } from '../../components/states.js'
import { currentMs, LiveFeed } from './live-feed.js'

/** The render interval, which bounds the work on a busy link. */
const drawEveryMs = 250

interface Shown {
  clicks: readonly Click[]
  total: number
}

export function LiveClicks({ linkId }: { linkId: string }) {
  const feed = useMemo(() => new LiveFeed(), [linkId])
  const [shown, setShown] = useState<Shown>({ clicks: [], total: 0 })
  const [isConnected, setConnected] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const pause = usePause()
  useEffect(() => {
    const control = new AbortController()
    const show = () =>
      setShown((before) =>
        before.clicks === feed.clicks && before.total === feed.total
          ? before
          : { clicks: feed.clicks, total: feed.total },
      )
    const follow = async () => {
      if (feed.cursor === null) {
        const cursor = await getNewestCursor(linkId, control.signal)
        feed.addRecent(await getRecentClicks(linkId, Date.now() - currentMs, control.signal))
        feed.cursor = cursor
      }
      show()
      const addClick = (click: Click, cursor: string) => feed.addArrived(click, cursor)
      await followClicks(linkId, feed.cursor, control.signal, addClick, setConnected)
    }
    follow().catch((failure: unknown) => {
      if (control.signal.aborted) return
      setConnected(false)
      setError(failure)
    })
    const timer = setInterval(show, drawEveryMs)
    return () => {
      clearInterval(timer)
      control.abort()
    }
  }, [feed, round])

  const reconnect = () => {
    setError(null)
    setRound(round + 1)
  }
  useRetry(error !== null, reconnect)
  const at = Math.max(now.value, Date.now())
  const visitors = isConnected ? feed.countCurrentVisitors(at) : null
  const clicks = pause.frozen ?? shown.clicks
  const waiting = pause.frozen === null ? 0 : shown.total - pause.total
  return (
    <Section
      title="Live clicks"
      actions={
        <span class="row small-text muted" role="status">
          <span class={`pulse ${isConnected ? 'on' : ''}`} aria-hidden="true" />
          {isConnected ? 'Connected' : error === null ? 'Connecting…' : 'Disconnected'}
          {shown.total > 0 && `, ${plural(shown.total, 'click')} since you opened this page`}
        </span>
      }
    >
      <p class="live-visitors" title="Bots are not counted as visitors.">
        <b>{visitors === null ? '–' : formatNumber(visitors)}</b> {visitors === 1 ? 'visitor' : 'visitors'} in
        the last 5 minutes
        {isConnected && <span class="muted"> · {feed.describeLastMinute(at)} in the last minute</span>}
      </p>
      {error !== null && <Failure error={error} onRetry={reconnect} />}
      {clicks.length === 0 && error === null ? (
        <Empty title="Waiting for clicks">Open the short URL in another window to see a click here.</Empty>
      ) : (
        <div class="live-place" {...pause.handlersFor(shown)}>
          <ul class="live" aria-label="Live clicks" tabIndex={0}>
            {clicks.map((click) => (
              <ClickRow key={click.id} click={click} hasArrived={feed.hasArrived(click)} />
            ))}
          </ul>
          {pause.frozen !== null && (
            <div class="live-paused small-text muted">
              Paused{waiting > 0 && `, ${plural(waiting, 'new click')}`}
            </div>
          )}
        </div>
      )}
    </Section>
  )
}

function ClickRow({ click, hasArrived }: { click: Click; hasArrived: boolean }) {
  const flag = getCountryFlag(click.country)
  const client = [click.browser, click.os, click.device].filter(Boolean).join(', ')
  return (
    <li class={hasArrived ? 'arrived' : ''}>
      <time dateTime={click.occurred_at} title={formatExact(click.occurred_at)}>
        {formatTimeOfDay(click.occurred_at)}
      </time>
      <span>
        {flag !== '' && (
          <span class="flag" aria-hidden="true">
            {flag}
          </span>
        )}
        {click.country === null ? <span class="muted">Unknown country</span> : countryName(click.country)}
      </span>
      <span>
        {click.bot && <Badge>bot</Badge>}{' '}
        {client || (!click.bot && <span class="muted">Unknown browser</span>)}
      </span>
      <span class="muted break">
        {click.source === 'link'
          ? getDimensionLabel('referrer_host', click.referrer_host)
          : getDimensionLabel('source', click.source)}
        {click.utm_source !== null && `, ${click.utm_source}`}
      </span>
    </li>
  )
}

interface Pause {
  /** The clicks at the start of the pause, while the pointer or the focus is on the list. Otherwise null. */
  frozen: readonly Click[] | null
  /** The number of clicks that had arrived when the pause started. */
  total: number
  handlersFor: (shown: Shown) => Record<string, () => void>
}

function usePause(): Pause {
  const [reasons, setReasons] = useState({ isHovered: false, isFocused: false })
  const [start, setStart] = useState<Shown>({ clicks: [], total: 0 })
  const isPaused = reasons.isHovered || reasons.isFocused
  return {
    frozen: isPaused ? start.clicks : null,
    total: start.total,
    handlersFor: (shown) => {
      const change = (changed: Partial<typeof reasons>) => () => {
        if (!isPaused) setStart(shown)
        setReasons({ ...reasons, ...changed })
      }
      return {
        onMouseEnter: change({ isHovered: true }),
        onMouseLeave: change({ isHovered: false }),
        onFocusIn: change({ isFocused: true }),
        onFocusOut: change({ isFocused: false }),
      }
    },
  }
}

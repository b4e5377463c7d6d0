import type { Click } from '@link-service/client'
import { useEffect, useState } from 'preact/hooks'

import { followClicks } from '../../api/click-stream.js'
import { formatNumber } from '../../app/format.js'
import { Badge, Section, Time } from '../../components/basics.js'
import { Empty, Failure } from '../../components/states.js'

/** The number of clicks shown and the render interval, which bound the work on a busy link. */
const maxShown = 100
const drawEveryMs = 250

interface Live {
  clicks: readonly Click[]
  total: number
}

export function LiveClicks({ linkId }: { linkId: string }) {
  const [{ clicks, total }, setLive] = useState<Live>({ clicks: [], total: 0 })
  const [isConnected, setConnected] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const control = new AbortController()
    let pending: Click[] = []
    let count = 0
    const addClick = (click: Click) => {
      count++
      pending.unshift(click)
      if (pending.length > maxShown) pending.length = maxShown
    }
    followClicks(linkId, control.signal, { onReady: () => setConnected(true), onClick: addClick }).catch(
      (failure: unknown) => {
        if (control.signal.aborted) return
        setConnected(false)
        setError(failure)
      },
    )
    const timer = setInterval(() => {
      if (pending.length === 0) return
      const arrived = pending
      pending = []
      setLive((before) => ({ clicks: [...arrived, ...before.clicks].slice(0, maxShown), total: count }))
    }, drawEveryMs)
    return () => {
      clearInterval(timer)
      control.abort()
    }
  }, [linkId, round])

  const reconnect = () => {
    setError(null)
    setRound(round + 1)
  }
  return (
    <Section
      title="Live clicks"
      actions={
        <span class="row small-text muted" role="status">
          <span class={`pulse ${isConnected ? 'on' : ''}`} aria-hidden="true" />
          {isConnected ? 'Listening' : error === null ? 'Connecting' : 'Disconnected'}
          {total > 0 && `, ${formatNumber(total)} since you opened this page`}
        </span>
      }
    >
      {error !== null && <Failure error={error} onRetry={reconnect} />}
      {clicks.length === 0 && error === null ? (
        <Empty title="Waiting for clicks">Open the short URL in another window to see a click here.</Empty>
      ) : (
        <ul class="live" aria-label="Live clicks">
          {clicks.map((click) => (
            <li key={click.id} class="arrived">
              <Time at={click.occurred_at} />
              <span>{click.country ?? 'unknown country'}</span>
              <span>
                {[click.browser, click.os, click.device].filter(Boolean).join(', ') || 'unknown browser'}
              </span>
              <span class="muted break">
                {click.referrer_host ? `from ${click.referrer_host}` : 'direct'}
              </span>
              {click.bot && <Badge>bot</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

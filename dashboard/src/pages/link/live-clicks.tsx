import type { Click } from '@link-service/client'
import { useEffect, useState } from 'preact/hooks'

import { followClicks } from '../../api/click-stream.js'
import { formatNumber } from '../../app/format.js'
import { Badge, Section, Time } from '../../components/basics.js'
import { Empty, Failure } from '../../components/states.js'

/** On a busy link, the page shows at most this many clicks and draws only this often. */
const mostShown = 100
const drawEveryMs = 250

interface Live {
  clicks: readonly Click[]
  seen: number
}

export function LiveClicks({ linkId }: { linkId: string }) {
  const [{ clicks, seen }, setLive] = useState<Live>({ clicks: [], seen: 0 })
  const [isOn, setOn] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const control = new AbortController()
    let waiting: Click[] = []
    let count = 0
    const take = (click: Click) => {
      count++
      waiting.unshift(click)
      if (waiting.length > mostShown) waiting.length = mostShown
    }
    followClicks(linkId, control.signal, { onReady: () => setOn(true), onClick: take }).catch(
      (failure: unknown) => {
        if (control.signal.aborted) return
        setOn(false)
        setError(failure)
      },
    )
    const timer = setInterval(() => {
      if (waiting.length === 0) return
      const arrived = waiting
      waiting = []
      setLive((before) => ({ clicks: [...arrived, ...before.clicks].slice(0, mostShown), seen: count }))
    }, drawEveryMs)
    return () => {
      clearInterval(timer)
      control.abort()
    }
  }, [linkId, round])

  const again = () => {
    setError(null)
    setRound(round + 1)
  }
  return (
    <Section
      title="Clicks as they come"
      actions={
        <span class="row small-text muted" role="status">
          <span class={`pulse ${isOn ? 'on' : ''}`} aria-hidden="true" />
          {isOn ? 'Listening' : error === null ? 'Connecting' : 'Not listening'}
          {seen > 0 && `, ${formatNumber(seen)} since you opened this`}
        </span>
      }
    >
      {error !== null && <Failure error={error} onRetry={again} />}
      {clicks.length === 0 && error === null ? (
        <Empty title="No click since you opened this">
          Open the short address in another window: it appears here at once.
        </Empty>
      ) : (
        <ul class="live" aria-label="Clicks as they come">
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

/** Small components that every page uses. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { instanceName } from '../app/branding.js'
import { formatClock, formatExact, formatWhen, maxClockSkewMs, now, safeUrl } from '../app/format.js'
import { base } from '../app/base.js'
import { Icon } from './icon.js'

interface WithChildren {
  children: ComponentChildren
}

interface LinkProps extends WithChildren {
  to: string
  /** Marks the main link of a row, which the keys j and k focus. */
  row?: boolean
  class?: string
  title?: string
  'aria-current'?: 'page'
}

/** A link to a page of the dashboard. */
export function A({ to, row = false, ...rest }: LinkProps) {
  return <a href={base + to} {...(row ? { 'data-row': '' } : {})} {...rest} />
}

/** Shows a user-supplied URL, as a link only if its scheme is safe. */
export function ExternalUrl({ url }: { url: string }) {
  const href = safeUrl(url)
  if (href === null) return <span class="break">{url}</span>
  return (
    <a class="break" href={href} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  )
}

export function Time({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  if (!at) return <span class="muted">{none}</span>
  return (
    <time dateTime={at} title={`${formatExact(at)} (${at})`}>
      {formatWhen(at, Math.max(now.value, Date.now()))}
    </time>
  )
}

/** An absolute time to the second, with the relative time as its tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${formatWhen(at, Math.max(now.value, Date.now()))} (${at})`}>
      {formatClock(at)}
    </time>
  )
}

/** Shows the time of the next attempt, or "now" once it is due. */
export function NextAttempt({ at }: { at: string }) {
  const isDue = Date.parse(at) <= Math.max(now.value, Date.now()) + maxClockSkewMs
  return isDue ? <>now</> : <Time at={at} />
}

export function Badge({ tone = 'plain', children }: { tone?: Tone } & WithChildren) {
  return <span class={`badge ${tone}`}>{children}</span>
}
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

const doneMs = 1_500

export function CopyButton({
  text,
  label = 'Copy',
  small = false,
  isIcon = false,
  isFirst = false,
  isPrimary = false,
  onCopied,
}: {
  text: string
  label?: string
  small?: boolean
  /** Gets the focus when its dialog opens. */
  isFirst?: boolean
  /** The main action of its page. */
  isPrimary?: boolean
  onCopied?: () => void
  /** Shows an icon instead of the label, for rows of a list. */
  isIcon?: boolean
}) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  const copyText = async () => {
    try {
      // The clipboard is only available over HTTPS and on localhost.
      await navigator.clipboard.writeText(text)
      setState('done')
      onCopied?.()
    } catch {
      setState('failed')
    }
    setTimeout(() => setState('idle'), doneMs)
  }
  const copy = () => void copyText()
  const shownLabel = { idle: label, done: 'Copied', failed: 'Copy failed. Select and copy the text.' }[state]
  if (isIcon)
    return (
      <button type="button" class="quiet icon-only" title={shownLabel} onClick={copy} aria-live="polite">
        <Icon name={state === 'done' ? 'done' : 'copy'} />
        <span class="hidden-text">{shownLabel}</span>
      </button>
    )
  return (
    <button
      type="button"
      class={isPrimary ? 'primary' : small ? 'small' : ''}
      data-first={isFirst ? '' : undefined}
      onClick={copy}
      aria-live="polite"
    >
      {shownLabel}
    </button>
  )
}

export function Section({
  title,
  actions,
  children,
  class: className = '',
}: { title: string; actions?: ComponentChildren; class?: string } & WithChildren) {
  return (
    <section class={`card ${className}`} aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

export function PageHead({
  title,
  isCode = false,
  up = [],
  kicker,
  lead,
  children,
}: {
  title: string
  /** Whether the title is a name from the API. */
  isCode?: boolean
  /** A line above the title, if no page is above this one. */
  kicker?: string
  /** The pages above this one, outermost first. */
  up?: readonly (readonly [path: string, name: string])[]
  lead?: ComponentChildren
  children?: ComponentChildren
}) {
  document.title = `${title} · ${instanceName}`
  return (
    <header class="page-head">
      <div class="page-title">
        {up.length > 0 && <Breadcrumb up={up} />}
        {kicker !== undefined && <p class="breadcrumb">{kicker}</p>}
        <h1 tabIndex={-1}>{isCode ? <code>{title}</code> : title}</h1>
        {lead && <div class="lead">{lead}</div>}
      </div>
      {children && <div class="row wrap">{children}</div>}
    </header>
  )
}

function Breadcrumb({ up }: { up: readonly (readonly [path: string, name: string])[] }) {
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      {up.map(([path, name]) => (
        <span key={path}>
          <A to={path}>{name}</A>
        </span>
      ))}
    </nav>
  )
}

/** Tabs that select a value, or, with `isView`, tabs that select a part of the page. */
export function Tabs({ label, tabs, current, onPick, isView = false }: TabsProps) {
  return (
    <div class={isView ? 'views' : 'tabs'} role="group" aria-label={label}>
      {tabs.map(([value, text]) => (
        <button key={value} type="button" aria-pressed={value === current} onClick={() => onPick(value)}>
          {text}
        </button>
      ))}
    </div>
  )
}
interface TabsProps {
  label: string
  tabs: readonly (readonly [value: string, text: string])[]
  current: string
  onPick: (value: string) => void
  isView?: boolean
}

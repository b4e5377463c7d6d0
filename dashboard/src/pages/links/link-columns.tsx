/** The columns of the list of links. */
import type { Link } from '@link-service/client'

import { formatNumber, plural } from '../../app/format.js'
import { A, Badge, CopyButton, Time } from '../../components/basics.js'
import { ordersByCreation } from '../../lists/list-order.js'
import { windowSize } from '../../lists/list-view.js'
import type { ListColumn } from '../../lists/list.js'
import { LinkState } from './link-state.js'

export const linkListName = 'links'

export const linkColumns: readonly ListColumn<Link>[] = [
  {
    name: 'Link',
    width: 240,
    cell: (link) => (
      <div class="row">
        <A row to={`/links/${link.id}`} class="cut name" title={`/${link.slug}`}>
          /{link.slug}
        </A>
        <CopyButton isIcon text={link.short_url} label={`Copy ${link.short_url}`} />
        <LinkState link={link} />
      </div>
    ),
  },
  {
    name: 'Destination',
    title: ({ title, url }) => (title === null ? url : `${title}\n${url}`),
    cell: ({ title, url }) => (
      <>
        {title !== null && <>{title} </>}
        <span class="muted">{shortenForDisplay(url)}</span>
      </>
    ),
  },
  {
    name: 'Tags',
    width: 136,
    isWide: true,
    title: ({ tags }) => (tags.length === 0 ? undefined : tags.join(', ')),
    cell: ({ tags }) =>
      tags.map((tag) => (
        <A key={tag} to={`/links?tag=${encodeURIComponent(tag)}`}>
          <Badge>{tag}</Badge>
        </A>
      )),
  },
  {
    name: 'Clicks',
    width: 148,
    isRightAligned: true,
    orders: [['-clicks', 'Most clicks, with bots']],
    narrowLine: 1,
    title: ({ clicks: { human, total } }) =>
      `${plural(human, 'human click')}, ${formatNumber(total)} with bots`,
    cell: ({ clicks }) => <Clicks {...clicks} />,
  },
  {
    name: 'Last click',
    width: 118,
    isWide: true,
    cell: ({ last_clicked_at: at }) => (
      <span class="muted">
        <Time at={at} />
      </span>
    ),
  },
  {
    name: 'Created',
    width: 118,
    orders: ordersByCreation,
    narrowLine: 2,
    cell: ({ created_at }) => (
      <span class="muted">
        <Time at={created_at} />
      </span>
    ),
  },
  {
    name: 'External ID',
    width: 160,
    isHiddenAtFirst: true,
    isWide: true,
    title: ({ external_id: id }) => id ?? undefined,
    cell: ({ external_id: id }) => <span class="muted">{id ?? '–'}</span>,
  },
]

/** The human clicks, and those of bots. */
function Clicks({ human, total }: Link['clicks']) {
  if (windowSize.value === 'narrow') return <>{plural(human, 'click')}</>
  return (
    <>
      {formatNumber(human)}
      <span class="bot-clicks muted">{total > human && `+${plural(total - human, 'bot')}`}</span>
    </>
  )
}

/** Returns the URL without scheme, `www.` and trailing slash. */
export function shortenForDisplay(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
}

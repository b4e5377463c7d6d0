import type { Link } from '@link-service/client'

import { qrUrl } from '../../api/many-links.js'
import { Badge, CopyButton, ExternalUrl, Section, Time } from '../../components/basics.js'
import { useState } from 'preact/hooks'

const shownSize = 336
const printedSize = 1024

export function LinkDetails({ link }: { link: Link }) {
  return (
    <div class="columns">
      <Section title="QR code">
        <QrCode link={link} />
      </Section>
      <Section title="Details">
        <dl class="facts">
          <dt>ID</dt>
          <dd class="row wrap">
            <code>{link.id}</code> <CopyButton small text={link.id} />
          </dd>
          <dt>Destination</dt>
          <dd>
            <ExternalUrl url={link.url} />
          </dd>
          <dt>Redirect</dt>
          <dd>
            {link.redirect_status}
            {link.forward_query ? ', forwards the query string' : ''}
          </dd>
          <dt>Note</dt>
          <dd class="lines">{link.note ?? 'none'}</dd>
          <dt>Tags</dt>
          <dd class="row wrap">
            {link.tags.length === 0 ? 'none' : link.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
          </dd>
          <dt>External ID</dt>
          <dd>{link.external_id ?? 'none'}</dd>
          <dt>Expires</dt>
          <dd>
            <Time at={link.expires_at} />
          </dd>
          <dt>Last click</dt>
          <dd>
            <Time at={link.last_clicked_at} />
          </dd>
          <dt>Created</dt>
          <dd>
            <Time at={link.created_at} />
          </dd>
          <dt>Updated</dt>
          <dd>
            <Time at={link.updated_at} />
          </dd>
        </dl>
      </Section>
    </div>
  )
}

function QrCode({ link }: { link: Link }) {
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed) return <p class="muted">The QR code could not be loaded.</p>
  return (
    <>
      <img
        class="qr"
        src={qrUrl(link.id, 'svg', shownSize)}
        alt={`QR code of ${link.short_url}`}
        onError={() => setHasFailed(true)}
      />
      <p class="muted small-text">Scans are counted with the source “QR code”.</p>
      <div class="row">
        <a class="button" href={qrUrl(link.id, 'svg', printedSize)} download={`${link.slug}.svg`}>
          Download SVG
        </a>
        <a class="button" href={qrUrl(link.id, 'png', printedSize)} download={`${link.slug}.png`}>
          Download PNG
        </a>
      </div>
    </>
  )
}

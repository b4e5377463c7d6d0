import type { Link } from '@link-service/client'

import { qrAddress } from '../../api/many-links.js'
import { Address, Badge, CopyButton, Section, Time } from '../../components/basics.js'
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
          <dt>Id</dt>
          <dd class="row wrap">
            <code>{link.id}</code> <CopyButton small text={link.id} />
          </dd>
          <dt>Destination</dt>
          <dd>
            <Address url={link.url} />
          </dd>
          <dt>Redirect</dt>
          <dd>
            {link.redirect_status}
            {link.forward_query ? ', with the visitor’s query' : ''}
          </dd>
          <dt>Note</dt>
          <dd class="lines">{link.note ?? 'none'}</dd>
          <dt>Tags</dt>
          <dd class="row wrap">
            {link.tags.length === 0 ? 'none' : link.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
          </dd>
          <dt>External id</dt>
          <dd>{link.external_id ?? 'none'}</dd>
          <dt>Expires</dt>
          <dd>
            <Time at={link.expires_at} />
          </dd>
          <dt>Last click</dt>
          <dd>
            <Time at={link.last_clicked_at} />
          </dd>
          <dt>Made</dt>
          <dd>
            <Time at={link.created_at} />
          </dd>
          <dt>Changed</dt>
          <dd>
            <Time at={link.updated_at} />
          </dd>
        </dl>
      </Section>
    </div>
  )
}

function QrCode({ link }: { link: Link }) {
  const [isThere, setIsThere] = useState(true)
  if (!isThere) return <p class="muted">This service offers no QR codes yet.</p>
  return (
    <>
      <img
        class="qr"
        src={qrAddress(link.id, 'svg', shownSize)}
        alt={`QR code of ${link.short_url}`}
        onError={() => setIsThere(false)}
      />
      <p class="muted small-text">Visits by it are told apart from clicks: their source is “qr”.</p>
      <div class="row">
        <a class="button" href={qrAddress(link.id, 'svg', printedSize)} download={`${link.slug}.svg`}>
          Download SVG
        </a>
        <a class="button" href={qrAddress(link.id, 'png', printedSize)} download={`${link.slug}.png`}>
          Download PNG
        </a>
      </div>
    </>
  )
}

import type { Link } from '@link-service/client'

import { Badge, CopyButton, ExternalUrl, Section, Time } from '../../components/basics.js'
import { QrCode } from './qr-code.js'

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

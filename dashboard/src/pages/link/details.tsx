import type { Link } from '@link-service/client'

import { CopyButton, Section, Time } from '../../components/basics.js'
import { QrCode } from './qr-code.js'

export function LinkDetails({ link }: { link: Link }) {
  return (
    <div class="link-details">
      <Section title="QR code">
        <QrCode link={link} />
      </Section>
      <Section title="Details">
        <dl class="facts">
          <dt>Redirect</dt>
          <dd>
            {link.redirect_status} ({isPermanent(link.redirect_status) ? 'permanent' : 'temporary'})
            {link.forward_query ? ', forwards the query string' : ''}
          </dd>
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
          <dt>ID</dt>
          <dd class="row">
            <code>{link.id}</code>
            <CopyButton isIcon text={link.id} label="Copy ID" />
          </dd>
          {link.external_id !== null && (
            <>
              <dt>External ID</dt>
              <dd>{link.external_id}</dd>
            </>
          )}
          {link.note !== null && (
            <>
              <dt>Note</dt>
              <dd class="lines">{link.note}</dd>
            </>
          )}
        </dl>
      </Section>
    </div>
  )
}

function isPermanent(status: number): boolean {
  return status === 301 || status === 308
}

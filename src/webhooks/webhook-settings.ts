/** The settings of webhooks: what they may reach, and when they have failed. */
import { flag, nameServers, networks, orOff, text, time, wholeNumber } from '../platform/config/rules.js'
import { optional, setting } from '../platform/config/setting.js'
import type { ValuesOf } from '../platform/config/setting.js'

export const webhookSettings = {
  workspaceWebhooks: setting(
    'WORKSPACE_WEBHOOKS',
    orOff(wholeNumber(1, 999_999_999)),
    '100',
    'The most webhooks that a workspace may have; `off` for no limit.',
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    flag,
    'false',
    'Whether webhooks may have `http:` addresses. For development.',
  ),
  webhookAllowedCidrs: optional(
    'WEBHOOK_ALLOWED_CIDRS',
    networks,
    'Networks that webhooks may reach although they are private, such as `127.0.0.0/8,10.1.0.0/16`. Default: none.',
  ),
  webhookCaFile: optional(
    'WEBHOOK_CA_FILE',
    text,
    'A file with certificates (PEM) that webhook receivers may be signed by, beside the well-known authorities.',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    nameServers,
    'The name servers that look up webhook receivers, such as `10.0.0.2,[2001:db8::2]:5353`. Default: those of the system.',
  ),
  webhookTimeout: setting(
    'WEBHOOK_TIMEOUT',
    time('1s', '60s'),
    '15s',
    'How long one attempt may take, from the DNS lookup to the end of the response.',
  ),
  webhookFailingAfter: setting(
    'WEBHOOK_FAILING_AFTER',
    time('1s', '30d'),
    '24h',
    'How long a webhook must go without a success, while attempts fail, for `webhook.failing` to be sent.',
  ),
  webhookDisableAfter: setting(
    'WEBHOOK_DISABLE_AFTER',
    time('1s', '30d'),
    '5d',
    'The same for disabling it. There must also be 20 failures, the first and the last a tenth of this time apart.',
  ),
}

declare module '../platform/config/settings.js' {
  interface SettingValues extends ValuesOf<typeof webhookSettings> {}
}

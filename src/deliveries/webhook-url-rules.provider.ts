import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import type { UrlFault, WebhookUrlRules } from '../webhooks/webhook-url-rules.js'
import { faultOfWebhookUrl } from '../platform/outbound/webhook-url.js'

@Injectable()
export class ReachableUrls implements WebhookUrlRules {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  faultOf(url: string): UrlFault | null {
    return faultOfWebhookUrl(url, this.settings)
  }
}

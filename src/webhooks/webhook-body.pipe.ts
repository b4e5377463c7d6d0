import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { BodyPipe } from '../platform/http/input.pipe.js'
import { faultOfWebhookUrl } from './webhook-url.js'
import type { UpdateWebhook } from './webhook.dto.js'

/** Bodies with an address in them: what is wrong with it is named together with all else that is wrong. */
@Injectable()
export class WebhookBodyPipe extends BodyPipe {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {
    super()
  }

  protected override faultsOf = ({ url }: UpdateWebhook) => {
    const fault = typeof url === 'string' ? faultOfWebhookUrl(url, this.settings) : null
    return fault ? [{ pointer: '/url', ...fault }] : []
  }
}

import { Injectable } from '@nestjs/common'

import { BodyPipe } from '../platform/http/input.pipe.js'
import type { UpdateWebhook } from './webhook.dto.js'
import { WebhookUrlRules } from './webhook-url-rules.js'

/** Bodies with an address in them: what is wrong with it is named together with all else that is wrong. */
@Injectable()
export class WebhookBodyPipe extends BodyPipe {
  constructor(private readonly rules: WebhookUrlRules) {
    super()
  }

  protected override faultsOf = ({ url }: UpdateWebhook) => {
    const fault = typeof url === 'string' ? this.rules.faultOf(url) : null
    return fault ? [{ pointer: '/url', ...fault }] : []
  }
}

/** Decrypts what a request to a receiver needs: the signing keys and the custom headers. */
import { Injectable } from '@nestjs/common'

import { Problem } from '../platform/http/problems/problem.js'
import type { ProblemCode } from '../problems.js'
import type { CustomHeaders } from './custom-headers.js'
import { getSigningKey } from './signing.js'
import { WebhookHeaders } from './webhook-headers.js'
import { WebhookSecrets } from './webhook-secrets.js'
import type { Webhook } from './webhook.entity.js'

export interface Credentials {
  /** Newest first. */
  keys: Buffer[]
  custom: CustomHeaders
}

type Sealed = Pick<Webhook, 'id' | 'sealedSecret' | 'sealedOldSecret' | 'oldSecretEndsAt' | 'sealedHeaders'>

@Injectable()
export class WebhookCredentials {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly headers: WebhookHeaders,
  ) {}

  /** Throws a problem if something was encrypted with another ENCRYPTION_KEY. */
  open(webhook: Sealed, now: Date): Credentials {
    return {
      keys: orThrow('secret_unreadable', () => this.secrets.signing(webhook, now).map(getSigningKey)),
      custom: orThrow('headers_unreadable', () => this.headers.open(webhook)),
    }
  }
}

function orThrow<T>(code: ProblemCode, open: () => T): T {
  try {
    return open()
  } catch (cause) {
    throw new Problem(code, { cause })
  }
}

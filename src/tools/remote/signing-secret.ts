import { UsageError } from '../../platform/config/startup-error.js'
import { isPlainText } from '../../platform/http/input/fields.js'
import { hasReadableKey, unreadableKeyAdvice } from '../../webhooks/signing.js'
import { maxWebhookSecretLength } from '../../webhooks/webhook-fields.js'

/** Returns the signing secret of an option. Throws if the service would reject the secret. */
export function requireSigningSecret(option: string, text: string): string {
  if (!isPlainText(text, 1, maxWebhookSecretLength))
    throw new UsageError(`${option} takes 1 to ${maxWebhookSecretLength} characters that are not all spaces.`)
  if (!hasReadableKey(text)) throw new UsageError(`${option} is not valid. ${unreadableKeyAdvice}`)
  return text
}

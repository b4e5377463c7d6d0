/** What can be wrong with the fields of webhooks, by code. */
export const webhookFieldErrors = {
  blocked_port: 'Webhooks are not sent to this port.',
  blocked_address: 'Webhooks are not sent to this address.',
  invalid_secret: 'It is blank or too long.',
}

declare module '../platform/http/input/field-errors.js' {
  interface FieldErrorTexts extends Record<keyof typeof webhookFieldErrors, string> {}
}

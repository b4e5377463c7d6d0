/** What can be wrong with the fields of replays and test sends, by code. */
export const deliveryFieldErrors = {
  not_subscribed: 'The webhook does not subscribe to the event.',
  invalid_source: 'A replay cannot take from there.',
}

declare module '../platform/http/input/field-errors.js' {
  interface FieldErrorTexts extends Record<keyof typeof deliveryFieldErrors, string> {}
}

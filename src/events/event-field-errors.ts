/** What can be wrong with the fields of events, by code. */
export const eventFieldErrors = {
  invalid_events: 'It is not a list of events of the catalogue.',
  unknown_event: 'The catalogue has no such event.',
}

declare module '../platform/http/input/field-errors.js' {
  interface FieldErrorTexts extends Record<keyof typeof eventFieldErrors, string> {}
}

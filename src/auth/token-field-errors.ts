/** What can be wrong with the fields of tokens, by code. */
export const tokenFieldErrors = {
  invalid_scopes: 'It is not a list of known scopes.',
}

declare module '../platform/http/input/field-errors.js' {
  interface FieldErrorTexts extends Record<keyof typeof tokenFieldErrors, string> {}
}

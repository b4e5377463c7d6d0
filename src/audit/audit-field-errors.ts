/** What can be wrong with the fields of the audit log, by code. */
export const auditFieldErrors = {
  invalid_action: 'The audit log has no such action.',
}

declare module '../platform/http/input/field-errors.js' {
  interface FieldErrorTexts extends Record<keyof typeof auditFieldErrors, string> {}
}

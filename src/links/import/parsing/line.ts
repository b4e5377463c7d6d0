/** Results of parsing a line, for all formats. */
import type { FieldErrorCode } from '../../../field-errors.js'

/** An error of a line. `field` is null if the error concerns the whole line. */
export interface LineFault {
  field: string | null
  code: FieldErrorCode
  detail: string
}

/** Unvalidated fields of a link. */
export type LineFields = Record<string, unknown>

export type Line = {
  /** Number of the first line of the record, starting at 1. */
  number: number
  /** Text of the record, for the report. */
  content: string
} & ({ fields: LineFields; fault: null } | { fields: null; fault: LineFault })

export function lineFault(code: FieldErrorCode, detail: string): LineFault {
  return { field: null, code, detail }
}

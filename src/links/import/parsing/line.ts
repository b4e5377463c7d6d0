/** The result of reading one line of an import, the same for all formats. */
import type { FieldErrorCode } from '../../../field-errors.js'

/** Why a line was not imported. `field` is null where the whole line is at fault. */
export interface LineFault {
  field: string | null
  code: FieldErrorCode
  detail: string
}

/** The fields of a link as the line gives them; nothing is checked yet. */
export type LineFields = Record<string, unknown>

export type Line = {
  /** The number of the line on which the record begins, counted from 1 as in editors. */
  number: number
  /** The text as it stands in the body, for the report. */
  content: string
} & ({ fields: LineFields; fault: null } | { fields: null; fault: LineFault })

export function lineFault(code: FieldErrorCode, detail: string): LineFault {
  return { field: null, code, detail }
}

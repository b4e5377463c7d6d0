/** What reading makes of one line of an import, whatever it is written in. */

import type { FieldErrorCode } from '../../../platform/http/input/field-errors.js'

/** Why a line was not imported. `field` is null where the whole line is at fault. */
export interface LineFault {
  field: string | null
  code: FieldErrorCode
  detail: string
}

/** The fields of a link as the line gives them; nothing is checked yet. */
export type LineFields = Record<string, unknown>

export type Line = {
  /** Counted as editors count: the number of the line on which it begins. */
  number: number
  /** As it stands in the body, for the report. */
  content: string
} & ({ fields: LineFields; fault: null } | { fields: null; fault: LineFault })

export function lineFault(code: FieldErrorCode, detail: string, field: string | null = null): LineFault {
  return { field, code, detail }
}
